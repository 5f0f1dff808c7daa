import { blockHintOf } from '../../core/protocol/blockHintOf.ts';
import type { Control } from '../../core/protocol/control/control.ts';
import type { Session } from '../session/session.ts';
import type { DeviceChannel } from './deviceChannel.ts';
import { shortenBlock, toldBlock } from './shortenBlock.ts';

/** Tells a page of older blocks, newest first, so that what a break leaves has no hole; then answers with what it was. */
export async function tellHistory(
  channel: DeviceChannel,
  session: Session,
  request: Extract<Control, { type: 'history_request' }>,
): Promise<void> {
  const { request_id, before_seq, limit } = request;
  const { generation } = session.header;
  // Whoever asks for what is before the end of all gets the newest.
  const upTo = Math.min(before_seq - 1, session.lastSeq);
  const from = Math.max(1, upTo + 1 - limit);
  const page = [];
  for (const entry of session.history(from - 1)) {
    if (entry.seq > upTo) break;
    page.push(entry);
  }
  for (const { seq, block: written } of page.reverse()) {
    const block = toldBlock(written);
    const options = { timeMs: Math.round(block.ts * 1000), replay: true };
    const hint = blockHintOf(block);
    const told =
      (await channel.send({ kind: 'history', seq, generation, block }, hint, options)) ||
      (await channel.send({ kind: 'history', seq, generation, block: shortenBlock(block) }, hint, options));
    if (!told) return;
  }
  const result = { type: 'history' as const, from_seq: from, up_to_seq: upTo, oldest_seq: 1 };
  await channel.send({ kind: 'response', request_id, result }, 'control');
}
