import type { Clock } from '../../core/base/clock.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import type { Logger } from '../../core/base/logger.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { unreachable } from '../../core/base/unreachable.ts';
import {
  emptyLedger,
  settleRequest,
  statusOf,
  takeRequest,
  type RequestLedger,
} from '../../core/channel/requestLedger.ts';
import { control, type Control } from '../../core/protocol/control/control.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { requestId, sessionId, type DeviceId, type RequestId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import { messageFormat, parseJson } from '../../core/protocol/parseJson.ts';
import type { AppliedType, Receipt, ResponseMessage } from '../../core/protocol/response.ts';
import type { WindowState } from '../../core/protocol/windowState.ts';
import type { SessionStore } from '../session/sessionStore.ts';
import { applyToSession, openSession } from './applyToSession.ts';
import type { DeviceChannel } from './deviceChannel.ts';
import { bindExternal, listExternal, type BindExternal, type ListExternal } from './externalDesk.ts';
import type { ExternalSessions } from './externalSessions.ts';
import { requestDigest } from './requestDigest.ts';
import { mayAsk, type ExternalType, type ReadType, type ScreenType } from './roleRules.ts';
import { ScreenDesk } from './screenDesk.ts';
import { tellContent } from './tellContent.ts';
import { modelsOf } from './tellModels.ts';
import { tellHistory } from './tellHistory.ts';
import { refused, typeAfar, type TypingRequest } from './typeAfar.ts';
import { WindowFeed } from './windowFeed.ts';

const format = messageFormat(control);

export interface DispatcherPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sessions: SessionStore;
  readonly controlSession: string;
  readonly windowState: () => WindowState;
  /** Absent: no agent's own conversations can be found. */
  readonly externals?: ExternalSessions;
  /** Puts the phone's next key in place, in base64. */
  readonly rotateKey: (channel: DeviceChannel, key: string) => Promise<Result<void, ErrorCode>>;
}

type RotateKey = Extract<Control, { type: 'rotate_key' }>;
type Mutation = Exclude<Control, { type: ReadType | ScreenType | ExternalType | 'list_models' }>;
/** Done when an agent has ended, or files were read. */
type LastingRequest = BindExternal | Extract<Control, { type: 'release_to_terminal' }>;
type Applicable = Exclude<Mutation, RotateKey | TypingRequest | LastingRequest>;

/** The one place where a phone's words become deeds, whichever way they came. */
export class Dispatcher {
  readonly #ports: DispatcherPorts;
  /** By device: a request is done at most once, also when it comes again over another channel. */
  readonly #ledgers = new Map<DeviceId, RequestLedger>();

  /** Those that are being told a page: each holds its blocks in memory until it has gone out. */
  readonly #tellingHistory = new WeakSet<DeviceChannel>();
  /** Phones whose next key is being written to the disk: one at a time for each. */
  readonly #rotating = new Set<DeviceId>();
  readonly #screens: ScreenDesk;

  constructor(ports: DispatcherPorts) {
    this.#ports = ports;
    this.#screens = new ScreenDesk(ports.clock);
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
    void channel.send(refusal(request, code), 'control');
  }

  #dispatch(channel: DeviceChannel, request: Control): void {
    // Reading changes nothing: it is done as often as it is asked for.
    if (request.type === 'list_sessions') this.#listSessions(channel, request);
    else if (request.type === 'request_status') this.#tellStatus(channel, request);
    else if (request.type === 'history_request') void this.#tellHistory(channel, request);
    else if (request.type === 'get_content')
      void tellContent(channel, this.#ports.sessions.find(sessionId.parse(channel.sessionId)), request);
    else if (request.type === 'screen_look' || request.type === 'screen_page')
      void this.#screens.tell(
        channel,
        this.#ports.sessions.find(sessionId.parse(channel.sessionId)),
        request,
      );
    else if (request.type === 'list_external_sessions') void this.#listExternal(channel, request);
    else if (request.type === 'list_models') this.#tellModels(channel, request.request_id);
    else if (request.type === 'resume' || request.type === 'ping')
      void channel.send(this.#apply(channel, request, 'rejected'), 'control');
    else this.#applyOnce(channel, request);
  }

  #applyOnce(channel: DeviceChannel, request: Mutation): void {
    const { device_id: device } = channel.device;
    const ledger = this.#ledgers.get(device) ?? emptyLedger;
    const verdict = takeRequest(ledger, request.request_id, requestDigest(channel.sessionId, request));
    switch (verdict.kind) {
      case 'new': {
        this.#ledgers.set(device, verdict.ledger);
        if (request.type === 'rotate_key') void this.#rotateKey(channel, request);
        else if (request.type === 'type_text' || request.type === 'press_key')
          void this.#type(channel, request);
        else if (request.type === 'bind_external' || request.type === 'release_to_terminal')
          void this.#applyLasting(channel, request);
        else this.#settle(channel, this.#apply(channel, request, 'unknown'));
        return;
      }
      case 'done':
        void channel.send(verdict.response, 'control');
        return;
      case 'pending':
        return;
      case 'conflict':
        void channel.send(refusal(request.request_id, 'request_conflict'), 'control');
        return;
      case 'full':
        void channel.send(refusal(request.request_id, 'receipt_capacity'), 'control');
        return;
    }
    return unreachable(verdict);
  }

  #settle(channel: DeviceChannel, response: ResponseMessage): void {
    const { device_id: device } = channel.device;
    this.#ledgers.set(device, settleRequest(this.#ledgers.get(device) ?? emptyLedger, response));
    void channel.send(response, 'control');
  }

  async #type(channel: DeviceChannel, request: TypingRequest): Promise<void> {
    const { request_id, type, screen_id } = request;
    const terminal = this.#ports.sessions.find(sessionId.parse(channel.sessionId))?.terminal;
    try {
      const answer = !mayAsk(channel.device.role, type)
        ? refused('not_owner')
        : terminal === undefined || !this.#screens.isOf(terminal, screen_id)
          ? refused('not_running')
          : await typeAfar(terminal, request);
      this.#settle(channel, { kind: 'response', request_id, ...answer });
    } catch (error) {
      this.#settle(channel, this.#unexpected(request, error, 'unknown'));
    }
  }

  async #listExternal(channel: DeviceChannel, request: ListExternal): Promise<void> {
    const { request_id } = request;
    try {
      const listed = await listExternal(channel, request, this.#ports.externals);
      const answer = listed.ok
        ? { kind: 'response' as const, request_id, result: listed.value }
        : refusal(request_id, listed.code);
      void channel.send(answer, 'control');
    } catch (error) {
      void channel.send(this.#unexpected(request, error, 'rejected'), 'control');
    }
  }

  async #applyLasting(channel: DeviceChannel, request: LastingRequest): Promise<void> {
    try {
      this.#settle(channel, answerTo(request, await this.#decideLasting(channel, request)));
    } catch (error) {
      this.#settle(channel, this.#unexpected(request, error, 'unknown'));
    }
  }

  async #decideLasting(
    channel: DeviceChannel,
    request: LastingRequest,
  ): Promise<Result<AppliedType, ErrorCode>> {
    const { externals, clock, controlSession, sessions } = this.#ports;
    if (channel.sessionId === controlSession) return fail('invalid_request');
    if (!mayAsk(channel.device.role, request.type)) return fail('not_owner');
    if (request.type === 'bind_external') return bindExternal(channel, request, externals, clock);
    const moved = await sessions.find(sessionId.parse(channel.sessionId))?.continueInTerminal();
    if (moved === undefined) return fail('not_found');
    return moved.ok ? ok(request.type) : moved;
  }

  /**
   * What nobody expects (a full disk, say) is an answer too: a phone must not wait for nothing.
   *
   * @param unexpected the receipt then: of what changes something, nobody knows how much of it was done
   */
  #apply(channel: DeviceChannel, request: Applicable, unexpected: Receipt): ResponseMessage {
    try {
      return answerTo(request, this.#decide(channel, request));
    } catch (error) {
      return this.#unexpected(request, error, unexpected);
    }
  }

  /** A phone of any role may renew its own key, in whichever session it says so. */
  async #rotateKey(channel: DeviceChannel, request: RotateKey): Promise<void> {
    this.#settle(channel, await this.#tryToRotate(channel, request));
  }

  async #tryToRotate(channel: DeviceChannel, request: RotateKey): Promise<ResponseMessage> {
    const { device_id: device } = channel.device;
    if (this.#rotating.has(device)) return refusal(request.request_id, 'busy');
    this.#rotating.add(device);
    try {
      const rotated = await this.#ports.rotateKey(channel, request.new_s_d);
      return answerTo(request, rotated.ok ? ok(request.type) : rotated);
    } catch (error) {
      return this.#unexpected(request, error, 'unknown');
    } finally {
      this.#rotating.delete(device);
    }
  }

  #unexpected({ type, request_id }: Control, error: unknown, receipt: Receipt): ResponseMessage {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    this.#ports.logger.error('control.failed', { type, code });
    return { ...refusal(request_id, 'internal'), receipt };
  }

  #decide(channel: DeviceChannel, request: Applicable): Result<AppliedType, ErrorCode> {
    const { sessions, clock, controlSession } = this.#ports;
    const id = sessionId.parse(channel.sessionId);
    if (request.type === 'ping') return ok('ping');
    if (id === controlSession) return fail('invalid_request');
    if (!mayAsk(channel.device.role, request.type)) return fail('not_owner');
    if (request.type === 'open') return openSession(channel, request, id, { sessions, clock });
    const session = sessions.find(id);
    return session === undefined ? fail('not_found') : applyToSession(channel, request, session, clock);
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

  #tellModels(channel: DeviceChannel, request_id: RequestId): void {
    const session = this.#ports.sessions.find(sessionId.parse(channel.sessionId));
    const may = mayAsk(channel.device.role, 'list_models');
    const result = may ? modelsOf(session) : refused('not_owner').result;
    void channel.send({ kind: 'response', request_id, result }, 'control');
  }

  async #tellHistory(
    channel: DeviceChannel,
    request: Extract<Control, { type: 'history_request' }>,
  ): Promise<void> {
    const session = this.#ports.sessions.find(sessionId.parse(channel.sessionId));
    const { request_id } = request;
    if (session === undefined || this.#tellingHistory.has(channel)) {
      void channel.send(refusal(request_id, session === undefined ? 'not_found' : 'busy'), 'control');
      return;
    }
    this.#tellingHistory.add(channel);
    try {
      await tellHistory(channel, session, request);
    } catch (error) {
      void channel.send(this.#unexpected(request, error, 'rejected'), 'control');
    } finally {
      this.#tellingHistory.delete(channel);
    }
  }

  #tellStatus(channel: DeviceChannel, request: Extract<Control, { type: 'request_status' }>): void {
    const { request_id, target_request_id } = request;
    const status = statusOf(this.#ledgers.get(channel.device.device_id) ?? emptyLedger, target_request_id);
    const result = { type: 'request_status' as const, target_request_id, status };
    void channel.send({ kind: 'response', request_id, result }, 'control');
  }
}

function answerTo({ request_id }: Mutation, outcome: Result<AppliedType, ErrorCode>): ResponseMessage {
  if (!outcome.ok) return refusal(request_id, outcome.code);
  return { kind: 'response', request_id, receipt: 'applied', result: { type: outcome.value } };
}

function refusal(request_id: RequestId, code: ErrorCode): ResponseMessage {
  return { kind: 'response', request_id, receipt: 'rejected', result: { type: 'error', code, message: '' } };
}

/** The request id of a text that is no control we know, so that it can be refused by name. */
function requestIdOf(text: string): RequestId | undefined {
  const value = text.length > limits.plaintextBytes ? undefined : jsonValue(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const id = requestId.safeParse(Reflect.get(value, 'request_id'));
  return id.success ? id.data : undefined;
}
