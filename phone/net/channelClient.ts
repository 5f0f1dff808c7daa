import { base64urlnopad } from '@scure/base';
import { fullJitterDelay } from '../../core/base/backoff.ts';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Emitter } from '../../core/base/emitter.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { openText, sealControl } from '../../core/channel/channelFrame.ts';
import { initiate, type Initiation } from '../../core/crypto/handshake.ts';
import type { CryptoPort, DhKey } from '../../core/crypto/cryptoPort.ts';
import { channelOf } from '../../core/crypto/envelope.ts';
import { SecureChannel } from '../../core/crypto/secureChannel.ts';
import { decodeBase64 } from '../../core/protocol/base64.ts';
import type { Control } from '../../core/protocol/control/control.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import {
  requestId,
  type BridgeId,
  type DeviceId,
  type InstanceId,
  type SessionId,
} from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import { bridgeMessage, type BridgeMessage } from '../../core/protocol/message.ts';
import type { ResponseMessage } from '../../core/protocol/response.ts';
import { messageFormat, parseJson } from '../../core/protocol/parseJson.ts';
import type { BlockEnvelope } from '../../core/protocol/envelope/envelopeValue.ts';
import type { SessionAccept } from '../../core/protocol/relayFrame.ts';
import { openingFrame } from './openingFrame.ts';
import type { PhoneFrame, PhoneRelay } from './phoneRelay.ts';

const format = messageFormat(bridgeMessage, 'kind');
const acceptTimeoutMs = 10_000;
const responseTimeoutMs = 20_000;
/** Two heartbeats and a little: after this, silence means that nobody knows. */
const staleMs = 45_000;
/** A refusal is not asked about again at once: from here the wait is up to the longest. */
const refusedAttempt = 6;
const backoff = { baseMs: 400, capMs: 15_000 };

export type ChannelState =
  /** No way to the window now. */
  | { readonly phase: 'offline' }
  | { readonly phase: 'opening' }
  | { readonly phase: 'open'; readonly stale: boolean }
  /** It will not get better by itself. */
  | { readonly phase: 'refused'; readonly code: ErrorCode };

/** A control before the channel gives it a request id. */
export type Request = Control extends infer C ? (C extends Control ? Omit<C, 'request_id'> : never) : never;

export interface ChannelClientOptions {
  readonly relay: PhoneRelay;
  readonly crypto: CryptoPort;
  readonly clock: Clock;
  readonly unit: () => number;
  readonly deviceKey: DhKey;
  readonly deviceId: DeviceId;
  readonly bridgeId: BridgeId;
  readonly bridgePublicKey: Uint8Array;
  readonly psk: Uint8Array;
  readonly instanceId: InstanceId;
  readonly sessionId: SessionId;
  /** Frame 0 of every fresh channel: where to go on. */
  readonly greet: () => Request;
}

interface Waiting {
  readonly settle: (result: Result<ResponseMessage['result'], ErrorCode | 'unknown'>) => void;
  readonly timer: Disposable;
}

/** One session as this phone follows it: makes a fresh channel whenever it has to, and greets with where it was. */
export class ChannelClient implements Disposable {
  readonly #options: ChannelClientOptions;
  readonly #disposables = new DisposableStore();
  readonly #messages = this.#disposables.add(new Emitter<Exclude<BridgeMessage, ResponseMessage>>());
  readonly #changes = this.#disposables.add(new Emitter<void>());
  readonly #waiting = new Map<string, Waiting>();
  #state: ChannelState = { phase: 'offline' };
  #initiation: { readonly initiation: Initiation; readonly request: string } | undefined;
  #channel: SecureChannel | undefined;
  #timer: Disposable | undefined;
  #stale: Disposable | undefined;
  #attempt = 0;
  /** Request id of frame 0: when the window refuses it, there is no session to follow. */
  #greeting: string | undefined;
  /** Grows with every handshake, so that what an old one left behind is recognised. */
  #round = 0;

  readonly onMessage = this.#messages.event;
  readonly onDidChange = this.#changes.event;

  constructor(options: ChannelClientOptions) {
    this.#options = options;
    this.#disposables.add(options.relay.onFrame(frame => this.#onFrame(frame)));
    this.#disposables.add(options.relay.onDidChange(() => this.#onRelayChange()));
    this.#onRelayChange();
  }

  get state(): ChannelState {
    return this.#state;
  }

  /**
   * Asks the window for something.
   *
   * @returns the answer; `unknown` when the channel ended before one came: the request may or may not have been done
   */
  request(request: Request): Promise<Result<ResponseMessage['result'], ErrorCode | 'unknown'>> {
    const channel = this.#channel;
    if (channel === undefined || this.#state.phase !== 'open')
      return Promise.resolve(fail('owner_unavailable'));
    return new Promise(resolve => {
      const id = this.#drawId();
      const timer = this.#options.clock.after(responseTimeoutMs, () => this.#settle(id, fail('unknown')));
      this.#waiting.set(id, { settle: resolve, timer });
      void this.#send(channel, id, request);
    });
  }

  /** Makes a fresh channel, for a reader that has to start over. */
  restart(): void {
    this.#retryLater();
  }

  dispose(): void {
    this.#drop({ phase: 'offline' });
    this.#disposables.dispose();
  }

  get #isReachable(): boolean {
    const { relay, instanceId } = this.#options;
    return relay.state.phase === 'online' && relay.instances.includes(instanceId);
  }

  #onRelayChange(): void {
    if (this.#disposables.isDisposed) return;
    if (!this.#isReachable) {
      this.#attempt = 0;
      if (this.#state.phase !== 'offline') this.#drop({ phase: 'offline' });
    } else if (this.#state.phase === 'offline') void this.#open();
  }

  async #open(): Promise<void> {
    const { crypto, relay, sessionId, instanceId } = this.#options;
    this.#drop({ phase: 'opening' });
    const round = this.#round;
    const started = await initiate(crypto, {
      kind: 'session',
      bridgeId: this.#options.bridgeId,
      instanceId,
      sessionId,
      deviceKey: this.#options.deviceKey,
      bridgePublicKey: this.#options.bridgePublicKey,
      psk: this.#options.psk,
    });
    if (this.#round !== round) return;
    if (!started.ok) {
      this.#drop({ phase: 'refused', code: 'unauthorized' });
      return;
    }
    const request = requestId.parse(this.#drawId());
    this.#initiation = { initiation: started.value, request };
    this.#timer = this.#options.clock.after(acceptTimeoutMs, () => this.#retryLater());
    const { message1 } = started.value;
    relay.send(openingFrame(relay.permits, { instanceId, sessionId, request, message1 }));
  }

  #onFrame(frame: PhoneFrame): void {
    const session = frame.type === 'block' ? frame.sessionId : frame.session_id;
    if (session !== this.#options.sessionId) return;
    switch (frame.type) {
      case 'session_accept':
        void this.#onAccept(frame);
        return;
      case 'block':
        void this.#onBlock(frame);
        return;
      case 'error':
        // Nobody vouches for a plain word of the relay: it is shown, and tried again. Only a failed proof is final.
        if (this.#options.relay.permits.isRefused(frame)) this.#retryLater();
        else if (frame.code === 'unauthorized' || frame.code === 'revoked') this.#refuseForNow(frame.code);
        else this.#retryLater();
        return;
    }
  }

  async #onAccept(frame: SessionAccept): Promise<void> {
    const initiated = this.#initiation;
    if (initiated?.request !== frame.request_id) return;
    const round = this.#round;
    const message2 = decodeBase64(frame.bridge_epk);
    const secrets =
      message2 === undefined ? fail('unauthorized') : await initiated.initiation.finish(message2);
    if (this.#round !== round || this.#initiation !== initiated) return;
    // Whoever answered does not hold the machine's key. Never mended by itself.
    if (!secrets.ok) {
      this.#drop({ phase: 'refused', code: 'unauthorized' });
      return;
    }
    const { crypto, clock, sessionId, deviceId } = this.#options;
    const parts = { crypto, clock, sessionId, deviceId };
    const channel = await SecureChannel.create({ ...parts, side: 'app', secrets: secrets.value });
    if (this.#round !== round) {
      channel.dispose();
      return;
    }
    this.#initiation = undefined;
    this.#channel = channel;
    this.#timer?.dispose();
    const greeting = this.#drawId();
    this.#greeting = greeting;
    await this.#send(channel, greeting, this.#options.greet());
    if (this.#round === round) this.#touch();
  }

  async #onBlock(envelope: BlockEnvelope): Promise<void> {
    const channel = this.#channel;
    // A late frame of an old channel is no news.
    if (channel === undefined || channelOf(envelope.enc) !== channel.ch) return;
    const opened = await openText(channel, envelope);
    if (this.#channel !== channel) return;
    if (!opened.ok) {
      if (opened.code !== 'drop') this.#retryLater();
      return;
    }
    this.#attempt = 0;
    this.#touch();
    const message = parseJson(opened.value, format, limits.frameBytes);
    if (!message.ok) return;
    if (message.value.kind === 'response') this.#onResponse(message.value);
    else this.#messages.fire(message.value);
  }

  #onResponse({ request_id, result }: ResponseMessage): void {
    if (request_id === this.#greeting && result.type === 'error')
      this.#drop({ phase: 'refused', code: result.code });
    else this.#settle(request_id, ok(result));
  }

  async #send(channel: SecureChannel, id: string, request: Request): Promise<void> {
    const json = JSON.stringify({ ...request, request_id: id });
    const sealed = await sealControl(channel, json, this.#options.clock.now());
    if (sealed.ok && this.#channel === channel) this.#options.relay.send(sealed.value);
    else this.#settle(id, fail(!sealed.ok && sealed.code === 'too_large' ? 'frame_too_large' : 'unknown'));
  }

  #settle(id: string, result: Result<ResponseMessage['result'], ErrorCode | 'unknown'>): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.timer.dispose();
    waiting?.settle(result);
  }

  /** A verified frame came: what is shown is true for another while. */
  #touch(): void {
    this.#stale?.dispose();
    this.#stale = this.#options.clock.after(staleMs, () => {
      this.#set({ phase: 'open', stale: true });
      this.#options.relay.reconnect();
    });
    if (this.#state.phase !== 'open' || this.#state.stale) this.#set({ phase: 'open', stale: false });
  }

  #refuseForNow(code: ErrorCode): void {
    this.#attempt = Math.max(this.#attempt, refusedAttempt);
    this.#retryLater({ phase: 'refused', code });
  }

  #retryLater(state: ChannelState = { phase: 'opening' }): void {
    this.#drop(state);
    const delayMs = fullJitterDelay(this.#attempt, this.#options.unit(), backoff);
    this.#attempt += 1;
    this.#timer = this.#options.clock.after(delayMs, () => {
      if (this.#isReachable) void this.#open();
      else this.#drop({ phase: 'offline' });
    });
  }

  #drop(state: ChannelState): void {
    this.#round += 1;
    this.#timer?.dispose();
    this.#stale?.dispose();
    this.#initiation = undefined;
    this.#channel?.dispose();
    this.#channel = undefined;
    for (const id of [...this.#waiting.keys()]) this.#settle(id, fail('unknown'));
    this.#set(state);
  }

  #set(state: ChannelState): void {
    this.#state = state;
    this.#changes.fire();
  }

  #drawId(): string {
    return base64urlnopad.encode(this.#options.crypto.randomBytes(12));
  }
}
