import type { Block } from '../../core/protocol/block/block.ts';
import type { Control } from '../../core/protocol/control/control.ts';
import type { ToldMessage } from '../../core/protocol/toldMessage.ts';
import type { Session } from '../session/session.ts';
import type { DeviceChannel } from './deviceChannel.ts';
import { tellBlock } from './tellBlock.ts';

/** Tells a page of older blocks, newest first, so that what a break leaves has no hole; then answers with what it was. */
export async function tellHistory(
  channel: Pick<DeviceChannel, 'send'>,
  session: Pick<Session, 'header' | 'lastSeq' | 'history'>,
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
  for (const { seq, block } of page.reverse()) {
    const options = { timeMs: Math.round(block.ts * 1000), replay: true };
    const pageOf = (form: Block): ToldMessage => ({ kind: 'history', seq, generation, block: form });
    if (!(await tellBlock(channel, block, pageOf, options))) return;
  }
  const result = { type: 'history' as const, from_seq: from, up_to_seq: upTo, oldest_seq: 1 };
  await channel.send({ kind: 'response', request_id, result }, 'control');
}
