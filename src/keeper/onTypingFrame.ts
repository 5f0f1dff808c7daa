import type { Socket } from 'node:net';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { encodeKeeperFrame, keeperFrameType, type KeeperFrame } from './keeperFrame.ts';
import { isKeys } from './pasteText.ts';
import type { Typist } from './typist.ts';
import { keysRequest, maxKeysBytes, pasteRequest, type TypingOutcome } from './typingMessage.ts';

/** Has a `paste` or `keys` frame typed, and answers with what has come of it. What is none is left. */
export function onTypingFrame(typist: Typist, { type, body }: KeeperFrame, socket: Socket): void {
  const value = jsonValue(body.toString('utf8'));
  const answer = (id: number) => (outcome: TypingOutcome) => {
    if (!socket.destroyed)
      socket.write(encodeKeeperFrame(keeperFrameType.typed, JSON.stringify({ id, outcome })));
  };
  if (type === keeperFrameType.paste) {
    const paste = pasteRequest.safeParse(value);
    if (paste.success) typist.paste(paste.data, answer(paste.data.id));
    return;
  }
  const keys = keysRequest.safeParse(value);
  if (!keys.success) return;
  const bytes = Buffer.from(keys.data.keys, 'base64');
  if (bytes.length <= maxKeysBytes && isKeys(bytes)) typist.keys(bytes, answer(keys.data.id));
}
