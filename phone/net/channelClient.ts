import { base64urlnopad } from '@scure/base';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Emitter } from '../../core/base/emitter.ts';
import { fail, ok } from '../../core/base/result.ts';
import { openText, sealControl } from '../../core/channel/channelFrame.ts';
import {
  deadlineOf,
  initialChannelLife,
  reduceChannelLife,
  type ChannelAction,
  type ChannelLife,
} from '../../core/channel/channelLife.ts';
import { initiate, type Initiation } from '../../core/crypto/handshake.ts';
import type { DhKey } from '../../core/crypto/cryptoPort.ts';
import { channelOf } from '../../core/crypto/envelope.ts';
import { SecureChannel } from '../../core/crypto/secureChannel.ts';
import { decodeBase64 } from '../../core/protocol/base64.ts';
import { control } from '../../core/protocol/control/control.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { requestId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import { bridgeMessage, type BridgeMessage } from '../../core/protocol/message.ts';
import type { ReceivedResponse } from '../../core/protocol/response.ts';
import { strictJson } from '../../core/protocol/strictJson.ts';
import { messageFormat, parseJson } from '../../core/protocol/parseJson.ts';
import type { BlockEnvelope } from '../../core/protocol/envelope/envelopeValue.ts';
import type { SessionAccept } from '../../core/protocol/relayFrame.ts';
import { channelStateOf, type ChannelState } from './channelState.ts';
import type { ChannelClientOptions, Request } from './channelClientOptions.ts';
import { openingFrame } from './openingFrame.ts';
import { PendingRequests, type Answer } from './pendingRequests.ts';
import type { PhoneFrame } from './phoneRelay.ts';

const format = messageFormat(bridgeMessage, 'kind');

/** One session as this phone follows it: makes a fresh channel whenever it has to, and greets with where it was. */
export class ChannelClient implements Disposable {
  readonly #options: ChannelClientOptions;
  readonly #disposables = new DisposableStore();
  readonly #messages = this.#disposables.add(new Emitter<Exclude<BridgeMessage, ReceivedResponse>>());
  readonly #changes = this.#disposables.add(new Emitter<void>());
  readonly #pending: PendingRequests;
  /** Keys that the machine did not know in this try. */
  readonly #refusedKeys = new Set<DhKey>();
  #life: ChannelLife = initialChannelLife;
  #initiation: { readonly initiation: Initiation; readonly request: string; readonly key: DhKey } | undefined;
  #channel: SecureChannel | undefined;
  #timer: Disposable | undefined;
  /** Makes a fresh channel when this one is old, however well it works. */
  #renewal: Disposable | undefined;
  /** Request id of frame 0: when the window refuses it, there is no session to follow. */
  #greeting: string | undefined;
  /** Grows with every handshake, so that what an old one left behind is recognised. */
  #round = 0;

  readonly onMessage = this.#messages.event;
  readonly onDidChange = this.#changes.event;

  constructor(options: ChannelClientOptions) {
    this.#options = options;
    this.#pending = new PendingRequests(options.clock);
    this.#disposables.add(options.relay.onFrame(frame => this.#onFrame(frame)));
    this.#disposables.add(options.relay.onDidChange(() => this.#onRelayChange()));
    this.#onRelayChange();
  }

  get state(): ChannelState {
    return channelStateOf(this.#life);
  }

  /** Asks the window for something. */
  request(request: Request): Promise<Answer> {
    const channel = this.#channel;
    if (channel === undefined || this.#life.phase !== 'open')
      return Promise.resolve(fail('owner_unavailable'));
    const id = this.#drawId();
    const answer = this.#pending.add(id);
    void this.#send(channel, id, request);
    return answer;
  }

  /** Makes a fresh channel, for a reader that has to start over. */
  restart(): void {
    this.#dispatch({ type: 'broken', unit: this.#options.unit() });
  }

  dispose(): void {
    this.#dispatch({ type: 'unreachable' });
    this.#disposables.dispose();
  }

  get #isReachable(): boolean {
    const { relay, instanceId } = this.#options;
    return relay.state.phase === 'online' && relay.instances.includes(instanceId);
  }

  #onRelayChange(): void {
    if (!this.#disposables.isDisposed)
      this.#dispatch({ type: this.#isReachable ? 'reachable' : 'unreachable' });
  }

  #dispatch(action: ChannelAction): void {
    const before = this.#life;
    const life = (this.#life = reduceChannelLife(before, action));
    if (life === before) {
      if (action.type === 'verified' && life.phase === 'open') this.#expect();
      return;
    }
    this.#expect();
    // A handshake and its keys serve one opening.
    if (life.phase !== 'open') this.#close();
    if (life.phase !== 'opening') this.#refusedKeys.clear();
    if (life.phase === 'opening') void this.#open();
    this.#changes.fire();
    if (life.phase === 'open' && life.stale) this.#options.relay.reconnect();
  }

  #expect(): void {
    this.#timer?.dispose();
    const deadline = deadlineOf(this.#life);
    if (deadline === undefined) return;
    this.#timer = this.#options.clock.after(deadline, () =>
      this.#dispatch({ type: 'expired', unit: this.#options.unit() }),
    );
  }

  async #open(): Promise<void> {
    const { crypto, relay, sessionId, instanceId, chooseKey } = this.#options;
    const round = this.#round;
    const key = await chooseKey(this.#refusedKeys);
    if (this.#round !== round) return;
    if (key === undefined) {
      this.#dispatch({ type: 'refused', code: 'unauthorized' });
      return;
    }
    const started = await initiate(crypto, {
      kind: 'session',
      bridgeId: this.#options.bridgeId,
      instanceId,
      sessionId,
      deviceKey: key,
      bridgePublicKey: this.#options.bridgePublicKey,
      psk: this.#options.psk,
    });
    if (this.#round !== round) return;
    if (!started.ok) {
      this.#dispatch({ type: 'refused', code: 'unauthorized' });
      return;
    }
    const request = requestId.parse(this.#drawId());
    this.#initiation = { initiation: started.value, request, key };
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
        void this.#onError(frame);
        return;
    }
  }

  async #onError(frame: Extract<PhoneFrame, { type: 'error' }>): Promise<void> {
    const { code } = frame;
    if (this.#options.relay.permits.isRefused(frame) || (code !== 'unauthorized' && code !== 'revoked')) {
      this.restart();
      return;
    }
    const refused = this.#initiation;
    if (code === 'unauthorized' && refused !== undefined && refused.request === frame.request_id) {
      const round = this.#round;
      this.#initiation = undefined;
      this.#refusedKeys.add(refused.key);
      const other = await this.#options.chooseKey(this.#refusedKeys);
      if (this.#round !== round) return;
      if (other !== undefined) {
        this.#dispatch({ type: 'other_key' });
        return;
      }
    }
    // Nobody vouches for a plain word of the relay: it is shown, and tried again. Only a failed proof is final.
    this.#dispatch({ type: 'doubted', code, unit: this.#options.unit() });
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
      this.#dispatch({ type: 'refused', code: 'unauthorized' });
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
    const greeting = this.#drawId();
    this.#greeting = greeting;
    await this.#send(channel, greeting, this.#options.greet());
    if (this.#round !== round) return;
    this.#dispatch({ type: 'opened' });
    this.#renewal = clock.after(limits.channelMs, () => this.restart());
  }

  async #onBlock(envelope: BlockEnvelope): Promise<void> {
    const channel = this.#channel;
    // A late frame of an old channel is no news.
    if (channel === undefined || channelOf(envelope.enc) !== channel.ch) return;
    const opened = await openText(channel, envelope);
    if (this.#channel !== channel) return;
    if (!opened.ok) {
      if (opened.code !== 'drop') this.restart();
      return;
    }
    this.#dispatch({ type: 'verified' });
    const message = parseJson(opened.value, format, limits.frameBytes);
    if (!message.ok) return;
    if (message.value.kind === 'response') this.#onResponse(message.value);
    else this.#messages.fire(message.value);
  }

  #onResponse({ request_id, result }: ReceivedResponse): void {
    if (request_id === this.#greeting && result.type === 'error')
      this.#dispatch({ type: 'refused', code: result.code });
    // It was answered, and nobody here can tell how.
    else this.#pending.settle(request_id, result.type === 'unrecognised' ? fail('unknown') : ok(result));
  }

  async #send(channel: SecureChannel, id: string, request: Request): Promise<void> {
    const json = strictJson<unknown>(control, { ...request, request_id: id });
    if (json === undefined) {
      this.#onUnsent(id, 'invalid_request');
      return;
    }
    const sealed = await sealControl(channel, json, this.#options.clock.now());
    if (sealed.ok && this.#channel === channel) this.#options.relay.send(sealed.value);
    else this.#onUnsent(id, !sealed.ok && sealed.code === 'too_large' ? 'frame_too_large' : 'unknown');
  }

  /** Of a channel that cannot begin with what it should, nothing would ever come. */
  #onUnsent(id: string, code: ErrorCode | 'unknown'): void {
    if (id === this.#greeting && code !== 'unknown') this.#dispatch({ type: 'refused', code });
    else this.#pending.settle(id, fail(code));
  }

  #close(): void {
    this.#round += 1;
    this.#initiation = undefined;
    this.#channel?.dispose();
    this.#channel = undefined;
    this.#renewal?.dispose();
    this.#pending.settleAll(fail('unknown'));
  }

  #drawId(): string {
    return base64urlnopad.encode(this.#options.crypto.randomBytes(12));
  }
}
