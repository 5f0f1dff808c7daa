import type { Clock } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { unreachable } from '../../core/base/unreachable.ts';
import { control, type Control } from '../../core/protocol/control.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { requestId, sessionId, type RequestId } from '../../core/protocol/ids.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { limits } from '../../core/protocol/limits.ts';
import { messageFormat, parseJson } from '../../core/protocol/parseJson.ts';
import type { ResponseMessage, WindowState } from '../../core/protocol/message.ts';
import type { Actor } from '../session/actor.ts';
import type { Session } from '../session/session.ts';
import type { SessionStore } from '../session/sessionStore.ts';
import type { DeviceChannel } from './deviceChannel.ts';
import { SessionFeed } from './sessionFeed.ts';
import { WindowFeed } from './windowFeed.ts';

const format = messageFormat(control);

export interface DispatcherPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sessions: SessionStore;
  readonly controlSession: string;
  readonly windowState: () => WindowState;
}

type Applicable = Exclude<Control, { type: 'list_sessions' }>;

/** The one place where a phone's words become deeds, whichever way they came. */
export class Dispatcher {
  readonly #ports: DispatcherPorts;

  constructor(ports: DispatcherPorts) {
    this.#ports = ports;
  }

  /** @param text a verified control of `channel`; what is no known control is refused by name, or ignored */
  receive(channel: DeviceChannel, text: string): void {
    const parsed = parseJson(text, format, limits.plaintextBytes);
    if (parsed.ok) {
      this.#dispatch(channel, parsed.value);
      return;
    }
    const request = requestIdOf(text);
    if (request === undefined) return;
    const code = parsed.code === 'unknown_type' ? 'unsupported_operation' : 'invalid_request';
    this.#respond(channel, request, fail(code));
  }

  #dispatch(channel: DeviceChannel, request: Control): void {
    if (request.type === 'list_sessions') {
      this.#listSessions(channel, request);
      return;
    }
    this.#respond(channel, request.request_id, this.#tryApply(channel, request), request.type);
  }

  /** `#apply`, where what nobody expects (a full disk, say) is an answer too: a phone must not wait for nothing. */
  #tryApply(channel: DeviceChannel, request: Applicable): Result<void, ErrorCode> {
    try {
      return this.#apply(channel, request);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
      this.#ports.logger.error('control.failed', { type: request.type, code });
      return fail('internal');
    }
  }

  #apply(channel: DeviceChannel, request: Applicable): Result<void, ErrorCode> {
    const id = sessionId.parse(channel.sessionId);
    if (id === this.#ports.controlSession) return fail('invalid_request');
    if (channel.device.role === 'viewer' && request.type !== 'resume') return fail('not_owner');
    if (request.type === 'open') {
      if (isTooLong(request.prompt ?? '')) return fail('frame_too_large');
      const created = this.#ports.sessions.create(id, request.agent_id);
      if (!created.ok) return created;
      this.#follow(channel, created.value, 0);
      if (request.prompt === undefined) return ok(undefined);
      return created.value.prompt(
        request.prompt,
        request.client_msg_id ?? request.request_id,
        actorOf(channel),
      );
    }
    const session = this.#ports.sessions.find(id);
    if (session === undefined) return fail('not_found');
    switch (request.type) {
      case 'resume':
        // A phone that knows more than we do knows another history.
        if (request.since_seq > session.lastSeq) return fail('stale_session');
        this.#follow(channel, session, request.since_seq);
        return ok(undefined);
      case 'user_message':
        if (isTooLong(request.text)) return fail('frame_too_large');
        return session.prompt(request.text, request.client_msg_id, actorOf(channel));
      case 'permission_response':
        return session.answer(request.id, request.option_id, request.digest, actorOf(channel));
      case 'interrupt':
        return session.interrupt(request.turn_id);
      case 'end_session':
        return session.end();
    }
    return unreachable(request);
  }

  #follow(channel: DeviceChannel, session: Session, sinceSeq: number): void {
    channel.follow(new SessionFeed(session, channel, this.#ports.clock, sinceSeq));
  }

  #listSessions(channel: DeviceChannel, request: Extract<Control, { type: 'list_sessions' }>): void {
    const { windowState, clock, sessions } = this.#ports;
    const state = windowState();
    void channel.send(
      { kind: 'response', request_id: request.request_id, result: { type: 'list_sessions', state } },
      'control',
    );
    if (request.subscribe === true) channel.follow(new WindowFeed(sessions, channel, clock, windowState));
  }

  #respond(
    channel: DeviceChannel,
    request_id: RequestId,
    outcome: Result<void, ErrorCode>,
    type?: Applicable['type'],
  ): void {
    const response: ResponseMessage =
      outcome.ok && type !== undefined
        ? { kind: 'response', request_id, receipt: 'applied', result: { type } }
        : {
            kind: 'response',
            request_id,
            receipt: 'rejected',
            result: { type: 'error', code: outcome.ok ? 'internal' : outcome.code, message: '' },
          };
    void channel.send(response, 'control');
  }
}

function actorOf(channel: DeviceChannel): Actor {
  const { device_id: deviceId, name } = channel.device;
  return { kind: 'device', deviceId, name };
}

function isTooLong(text: string): boolean {
  return Buffer.byteLength(text) > limits.promptBytes || text.length > limits.textChars;
}

/** The request id of a text that is no control we know, so that it can be refused by name. */
function requestIdOf(text: string): RequestId | undefined {
  const value = text.length > limits.plaintextBytes ? undefined : jsonValue(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const id = requestId.safeParse(Reflect.get(value, 'request_id'));
  return id.success ? id.data : undefined;
}
