import { encodeBase64 } from '../../core/protocol/base64.ts';
import type { Control } from '../../core/protocol/control/control.ts';
import type { ResponseResult } from '../../core/protocol/response.ts';
import type { Session } from '../session/session.ts';
import type { DeviceChannel } from './deviceChannel.ts';

/** Tells a piece of what was too long for its block: the arguments of a request that waits. */
export async function tellContent(
  channel: DeviceChannel,
  session: Session | undefined,
  request: Extract<Control, { type: 'get_content' }>,
): Promise<void> {
  const { request_id } = request;
  await channel.send(
    { kind: 'response', request_id, result: contentOf(channel, session, request) },
    'control',
  );
}

function contentOf(
  channel: DeviceChannel,
  session: Session | undefined,
  { content_id, offset, max_bytes }: Extract<Control, { type: 'get_content' }>,
): ResponseResult {
  if (session === undefined) return { type: 'error', code: 'not_found', message: '' };
  const piece = session.approvals.readInput(content_id, offset, max_bytes, channel.device.device_id);
  if (!piece.ok) return { type: 'error', code: piece.code, message: '' };
  const { bytes, totalBytes } = piece.value;
  return { type: 'content', content_id, offset, total_bytes: totalBytes, data: encodeBase64(bytes) };
}
