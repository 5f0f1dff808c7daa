import { base64, utf8 } from '@scure/base';
import { decodeBase64 } from '../protocol/base64.ts';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { ok, fail, type Result } from '../base/result.ts';
import type { ReceivedFrame } from '../crypto/frameOpener.ts';
import type { ChannelSealRefusal, SecureChannel } from '../crypto/secureChannel.ts';
import { serverTsToMs } from '../crypto/serverTime.ts';
import type { BlockFrame, BlockHint, ControlFrame } from '../protocol/relayFrame.ts';
import { deviceId, sessionId } from '../protocol/ids.ts';
import { toTimestamp } from '../protocol/timestamp.ts';

/** Seals one message of a bridge into the frame that the relay carries; `sig` is the connection's to add. */
export async function sealBlock(
  channel: SecureChannel,
  message: {
    readonly json: string;
    readonly hint: BlockHint;
    readonly replay: boolean;
    readonly timeMs: number;
  },
): Promise<Result<BlockFrame, ChannelSealRefusal>> {
  const { hint, replay, timeMs: serverTsMs } = message;
  const sealed = await channel.seal({ blockType: hint, replay, serverTsMs }, utf8ToBytes(message.json));
  if (!sealed.ok) return sealed;
  return ok({
    type: 'block',
    session_id: sessionId.parse(channel.sessionId),
    block_type: hint,
    enc: base64.encode(sealed.value),
    replay,
    server_ts: toTimestamp(serverTsMs),
    ...(channel.dest === '' ? {} : { dest: deviceId.parse(channel.dest) }),
  });
}

/** Seals one control of a phone. */
export async function sealControl(
  channel: SecureChannel,
  json: string,
  timeMs: number,
): Promise<Result<ControlFrame, ChannelSealRefusal>> {
  const sealed = await channel.seal(
    { blockType: 'control', replay: false, serverTsMs: timeMs },
    utf8ToBytes(json),
  );
  if (!sealed.ok) return sealed;
  return ok({
    type: 'control',
    session_id: sessionId.parse(channel.sessionId),
    enc: base64.encode(sealed.value),
    server_ts: toTimestamp(timeMs),
  });
}

/** A frame as a channel takes it; undefined when its base64 or time is malformed, which reads as a drop. */
export function receivedFrame(frame: BlockFrame | ControlFrame): ReceivedFrame | undefined {
  const serverTsMs = serverTsToMs(frame.server_ts);
  const enc = decodeBase64(frame.enc);
  if (serverTsMs === undefined || enc === undefined) return undefined;
  const common = { sessionId: frame.session_id, serverTsMs, enc };
  return frame.type === 'block'
    ? { ...common, type: 'block', blockType: frame.block_type, replay: frame.replay, dest: frame.dest }
    : { ...common, type: 'control', blockType: 'control', replay: false };
}

/** @returns the text of an opened frame; a frame that is no UTF-8 breaks the channel */
export async function openText(
  channel: SecureChannel,
  frame: ReceivedFrame,
): Promise<Result<string, 'drop' | 'resync' | 'bad_padding'>> {
  const opened = await channel.open(frame);
  if (!opened.ok) return opened;
  try {
    return ok(utf8.encode(opened.value));
  } catch {
    return fail('resync');
  }
}
