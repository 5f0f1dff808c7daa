import type { Clock } from '../../core/base/clock.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import type { Control } from '../../core/protocol/control/control.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { sessionId } from '../../core/protocol/ids.ts';
import type { AppliedType, ResponseResult } from '../../core/protocol/response.ts';
import type { DeviceChannel } from './deviceChannel.ts';
import { externalRow, type ExternalSessions } from './externalSessions.ts';
import { followSession } from './followSession.ts';
import { mayAsk } from './roleRules.ts';

export type ListExternal = Extract<Control, { type: 'list_external_sessions' }>;
export type BindExternal = Extract<Control, { type: 'bind_external' }>;

/** @returns the conversations that a phone may take up in this window's folder, whichever folder it names */
export async function listExternal(
  channel: DeviceChannel,
  { agent_id, limit }: ListExternal,
  externals: ExternalSessions | undefined,
): Promise<Result<ResponseResult, ErrorCode>> {
  if (!mayAsk(channel.device.role, 'list_external_sessions')) return fail('not_owner');
  const found = (await externals?.list(limit, agent_id)) ?? [];
  return ok({ type: 'external_sessions', sessions: found.map(externalRow) });
}

/** For a phone that may: takes up a conversation under the id that the phone drew, and follows it from its first block. */
export async function bindExternal(
  channel: DeviceChannel,
  request: BindExternal,
  externals: ExternalSessions | undefined,
  clock: Clock,
): Promise<Result<AppliedType, ErrorCode>> {
  const { type, agent_id, native_id, fork } = request;
  if (externals === undefined) return fail('unsupported_operation');
  const id = sessionId.parse(channel.sessionId);
  const bound = await (fork === true
    ? externals.fork(id, agent_id, native_id)
    : externals.bind(id, agent_id, native_id));
  if (!bound.ok) return bound;
  followSession(channel, bound.value, clock, request);
  return ok(type);
}
