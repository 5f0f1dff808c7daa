import type { Clock } from '../../core/base/clock.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { unreachable } from '../../core/base/unreachable.ts';
import type { Control } from '../../core/protocol/control/control.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { SessionId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { AppliedType } from '../../core/protocol/response.ts';
import type { Actor } from '../session/actor.ts';
import { chosenOf } from '../session/agentSettings.ts';
import { isWider, parseMode } from '../session/approval/sessionMode.ts';
import type { Session } from '../session/session.ts';
import { runSlashCommand } from '../session/slashCommand.ts';
import type { SessionStore } from '../session/sessionStore.ts';
import type { DeviceChannel } from './deviceChannel.ts';
import { isOfOther } from './feedStart.ts';
import { followSession } from './followSession.ts';

type Open = Extract<Control, { type: 'open' }>;
/** What is for one session that is there. */
export type SessionControl = Exclude<
  Control,
  {
    type:
      | 'open'
      | 'ping'
      | 'rotate_key'
      | 'list_sessions'
      | 'list_external_sessions'
      | 'bind_external'
      | 'release_to_terminal'
      | 'request_status'
      | 'history_request'
      | 'get_content'
      | 'list_models'
      | 'screen_look'
      | 'screen_page'
      | 'type_text'
      | 'press_key';
  }
>;

/** Opens a conversation under the id that the phone drew, and follows it from its first block. */
export function openSession(
  channel: DeviceChannel,
  request: Open,
  id: SessionId,
  ports: { readonly sessions: SessionStore; readonly clock: Clock },
): Result<AppliedType, ErrorCode> {
  if (isTooLong(request.prompt ?? '')) return fail('frame_too_large');
  // Chosen at the desk: to go on elsewhere would be another session than the one that was wanted.
  if (request.cwd !== undefined) return fail('unsupported_operation');
  const mode = parseMode(request.mode ?? 'ask');
  if (mode === undefined) return fail('invalid_request');
  // Every session begins with the strictest; only the desk can widen it.
  if (isWider(mode, 'ask')) return fail('not_owner');
  const created = ports.sessions.create(id, request.agent_id, chosenOf(request));
  if (!created.ok) return created;
  const { settings } = created.value;
  if (request.model !== undefined) settings.setModel(request.model);
  if (request.effort !== undefined) settings.setEffort(request.effort);
  followSession(channel, created.value, ports.clock, request);
  if (request.prompt === undefined) return ok('open');
  const clientMsgId = request.client_msg_id ?? request.request_id;
  return applied('open', created.value.prompt(request.prompt, clientMsgId, actorOf(channel)));
}

/** Does what is asked of a session, or says why not. Every control is here, known or not yet. */
export function applyToSession(
  channel: DeviceChannel,
  request: SessionControl,
  session: Session,
  clock: Clock,
): Result<AppliedType, ErrorCode> {
  const { type } = request;
  switch (type) {
    case 'resume':
      // A phone that knows more than we do knows another history.
      if (request.since_seq > session.lastSeq && !isOfOther(request, session)) return fail('stale_session');
      followSession(channel, session, clock, request);
      return ok(type);
    case 'user_message':
      if (isTooLong(request.text)) return fail('frame_too_large');
      // A prompt without its files says something else.
      if ((request.attachments ?? []).length > 0) return fail('unsupported_operation');
      return applied(
        type,
        session.prompt(
          request.text,
          request.client_msg_id,
          actorOf(channel),
          // Without a turn that runs, what is queued goes at once.
          request.delivery === 'auto' ? 'queue' : request.delivery,
        ),
      );
    case 'edit_queued':
      if (isTooLong(request.text)) return fail('frame_too_large');
      return applied(type, session.editQueued(request.client_msg_id, request.text));
    case 'cancel_queued':
      return applied(type, session.cancelQueued(request.client_msg_id));
    case 'send_queued':
      return applied(type, session.sendQueued(request.client_msg_id));
    case 'permission_response': {
      const { id, option_id, digest } = request;
      return applied(type, session.answer(id, option_id, digest, actorOf(channel)));
    }
    case 'interrupt':
      return applied(type, session.interrupt(request.turn_id));
    case 'end_session':
      return applied(type, session.end());
    case 'detach':
      channel.follow({ dispose: () => undefined });
      return ok(type);
    case 'set_mode':
      return applied(
        type,
        parseMode(request.value) === undefined
          ? session.settings.setOwnMode(request.value, actorOf(channel))
          : session.approvals.setMode(request.value, actorOf(channel)),
      );
    case 'set_model':
      return applied(type, session.settings.setModel(request.value));
    case 'set_effort':
      return applied(type, session.settings.setEffort(request.value));
    case 'slash_command':
      if (isTooLong(`/${request.name} ${request.args ?? ''}`)) return fail('frame_too_large');
      return applied(type, runSlashCommand(session, request, request.request_id, actorOf(channel)));
    case 'question_response':
      return applied(type, session.approvals.questions.answer(request.id, request.answer, actorOf(channel)));
    case 'suggest_prompt':
    case 'suggestion_decision':
    case 'rename':
    case 'get_usage':
    case 'get_settings':
    case 'set_settings':
    case 'pin_thread':
    case 'unpin_thread':
    case 'settle_thread':
    case 'unsettle_thread':
    case 'upload':
    case 'stt_chunk':
    case 'stt_end':
    case 'terminal_input':
    case 'terminal_resize':
      return fail('unsupported_operation');
  }
  return unreachable(type);
}

function applied(type: AppliedType, outcome: Result<void, ErrorCode>): Result<AppliedType, ErrorCode> {
  return outcome.ok ? ok(type) : outcome;
}

function actorOf(channel: DeviceChannel): Actor {
  const { device_id: deviceId, name } = channel.device;
  return { kind: 'device', deviceId, name };
}

function isTooLong(text: string): boolean {
  return Buffer.byteLength(text) > limits.promptBytes || text.length > limits.textChars;
}
