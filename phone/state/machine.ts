import { bytesToHex } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import type { ConnectionState } from '../../core/channel/connectionState.ts';
import type { CryptoPort } from '../../core/crypto/cryptoPort.ts';
import { relayOrigin } from '../../core/crypto/relayOrigin.ts';
import { helloSignedBytes, refreshSignedBytes } from '../../core/crypto/verify.ts';
import {
  controlSession,
  sessionId,
  type AgentId,
  type InstanceId,
  type SessionId,
} from '../../core/protocol/ids.ts';
import type { ExternalSession } from '../../core/protocol/response.ts';
import type { ReceivedWindowState } from '../../core/protocol/windowState.ts';
import type { ClientHello } from '../../core/protocol/relayFrame.ts';
import { signAsDevice } from '../../platform/web/deviceSigner.ts';
import { ChannelClient } from '../net/channelClient.ts';
import type { Request } from '../net/channelClientOptions.ts';
import type { ChannelState } from '../net/channelState.ts';
import { PhoneRelay } from '../net/phoneRelay.ts';
import { refreshTokens } from '../net/relayHttp.ts';
import type { KeptPairing } from '../storage/keptPairing.ts';
import type { PairingRecord } from '../storage/pairingRecord.ts';
import { emptyConversation } from './conversation.ts';
import type { DeviceKeyRing } from './deviceKeyRing.ts';
import type { SessionBeginning } from './greeting.ts';
import type { KeyRenewal } from './keyRenewal.ts';
import { PhoneSession, type Refusal } from './phoneSession.ts';
import { presenceOf, type Presence } from './presence.ts';

/** A token is renewed this long before it ends, so that a slow network does not meet an old one. */
const renewBeforeMs = 60_000;

/** Conversations that are offered at most. */
const shownExternals = 50;

export interface MachinePorts {
  readonly platform: Crypto;
  readonly crypto: CryptoPort;
  readonly clock: Clock;
  readonly unit: () => number;
  readonly kept: KeptPairing;
  readonly ring: DeviceKeyRing;
  readonly renewal: KeyRenewal;
}

/** One editor window of a machine. */
export interface MachineWindow {
  readonly instance: InstanceId;
  readonly channel: ChannelState;
  /** Undefined until the window has told it. */
  readonly state: ReceivedWindowState | undefined;
}

/** How the machine can be reached, and since when. */
export interface PresenceSince {
  readonly presence: Presence;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

interface FollowedSession {
  readonly instance: InstanceId;
  readonly session: PhoneSession;
}

/** One paired machine: its relay connection, its windows, and the sessions that are open on this phone. */
export class Machine implements Disposable {
  readonly #ports: MachinePorts;
  readonly #relay: PhoneRelay;
  readonly #disposables = new DisposableStore();
  readonly #connection = signal<ConnectionState>({ phase: 'connecting', attempt: 0 });
  readonly #windows = signal<ReadonlyMap<InstanceId, MachineWindow>>(new Map());
  readonly #presence: Signal<PresenceSince>;
  readonly #channels = new Map<InstanceId, ChannelClient>();
  readonly #sessions = new Map<SessionId, FollowedSession>();

  readonly connection: ReadonlySignal<ConnectionState> = this.#connection;
  readonly windows = computed(() => [...this.#windows.value.values()]);

  constructor(ports: MachinePorts) {
    this.#ports = ports;
    this.#presence = signal({ presence: 'connecting', since: ports.clock.now() });
    this.#relay = this.#disposables.add(
      new PhoneRelay(this.record.relay, {
        clock: ports.clock,
        unit: ports.unit,
        hello: nonce => this.#hello(nonce),
      }),
    );
    this.#disposables.add(this.#relay.onDidChange(() => this.#onRelayChange()));
    this.#relay.start();
  }

  get presence(): ReadonlySignal<PresenceSince> {
    return this.#presence;
  }

  get record(): PairingRecord {
    return this.#ports.kept.record;
  }

  /** The page is seen again, or the network is back. */
  wake(): void {
    this.#relay.wake();
  }

  /** Connects again after the relay ended it for good, for example because another tab took over. */
  restart(): void {
    this.#relay.start();
  }

  /** Asks the relay anew what it reaches. */
  check(): void {
    this.#relay.reconnect();
    this.#relay.wake();
  }

  /** Follows a session of this machine; the same one is followed once. A reloaded window has another instance. */
  session(id: SessionId, instance: InstanceId): PhoneSession {
    const followed = this.#sessions.get(id);
    if (followed?.instance === instance) return followed.session;
    followed?.session.dispose();
    return this.#follow(id, instance, undefined, followed?.session);
  }

  /** Starts a conversation in a window. */
  startSession(instance: InstanceId, agent: AgentId, prompt: string): PhoneSession {
    const id = sessionId.parse(bytesToHex(this.#ports.crypto.randomBytes(16)));
    return this.#follow(id, instance, { agent, prompt, clientMsgId: this.#drawId() });
  }

  /** Takes up a conversation that its user has, or had, with an agent elsewhere. */
  bindSession(instance: InstanceId, agent: AgentId, nativeId: string): PhoneSession {
    const id = sessionId.parse(bytesToHex(this.#ports.crypto.randomBytes(16)));
    return this.#follow(id, instance, { agent, nativeId, fork: false });
  }

  /** Goes on with a copy of a conversation, which stays as it is with whoever has it. */
  forkSession(instance: InstanceId, agent: AgentId, nativeId: string): PhoneSession {
    const id = sessionId.parse(bytesToHex(this.#ports.crypto.randomBytes(16)));
    return this.#follow(id, instance, { agent, nativeId, fork: true });
  }

  /** What could be taken up in a window's folder: what somebody is in now first, then the newest. */
  async externalSessions(instance: InstanceId): Promise<Result<readonly ExternalSession[], Refusal>> {
    const request = { type: 'list_external_sessions', limit: shownExternals } as const;
    const asked = await this.#channels.get(instance)?.request(request);
    if (asked === undefined) return fail('owner_unavailable');
    if (!asked.ok) return asked;
    if (asked.value.type === 'external_sessions') return ok(asked.value.sessions);
    return fail(asked.value.type === 'error' ? asked.value.code : 'unsupported_operation');
  }

  dispose(): void {
    for (const { session } of this.#sessions.values()) session.dispose();
    for (const channel of this.#channels.values()) channel.dispose();
    this.#disposables.dispose();
  }

  #follow(
    id: SessionId,
    instance: InstanceId,
    opens: SessionBeginning | undefined,
    before?: PhoneSession,
  ): PhoneSession {
    const session = new PhoneSession({
      id,
      crypto: this.#ports.crypto,
      opens,
      // The journal is the same whichever window holds it, so what is known of it stays.
      known: before?.conversation.value ?? emptyConversation,
      unconfirmed: before?.outbox.value ?? [],
      connect: greet => this.#connect(instance, id, greet),
      drawId: () => this.#drawId(),
    });
    this.#sessions.set(id, { instance, session });
    return session;
  }

  #connect(instanceId: InstanceId, session: SessionId, greet: () => Request): ChannelClient {
    const { crypto, clock, unit, ring } = this.#ports;
    const { deviceId, bridgeId, bridgePublicKey, sessionPsk: psk } = this.record;
    const peer = { deviceId, bridgeId, bridgePublicKey, psk };
    return new ChannelClient({
      relay: this.#relay,
      crypto,
      clock,
      unit,
      ...peer,
      chooseKey: refused => ring.choose(refused),
      instanceId,
      sessionId: session,
      greet,
    });
  }

  #onRelayChange(): void {
    this.#connection.value = this.#relay.state;
    const presence = presenceOf(this.#relay.state, this.#relay.instances.length);
    if (presence !== this.#presence.value.presence)
      this.#presence.value = { presence, since: this.#ports.clock.now() };
    const present = new Set(this.#relay.instances);
    for (const instance of present) if (!this.#channels.has(instance)) this.#watch(instance);
    if (this.#relay.state.phase !== 'online') {
      this.#ports.renewal.reset();
      return;
    }
    for (const [instance, channel] of this.#channels) {
      if (present.has(instance)) continue;
      channel.dispose();
      this.#channels.delete(instance);
    }
    this.#windows.value = new Map(windowsToShow(this.#windows.value.values(), present));
  }

  #watch(instance: InstanceId): void {
    const set = (change: Partial<MachineWindow>): void => {
      const known = this.#windows.value.get(instance) ?? {
        instance,
        channel: { phase: 'offline' },
        state: undefined,
      };
      this.#windows.value = new Map(this.#windows.value).set(instance, { ...known, ...change });
    };
    const channel = this.#connect(instance, controlSession(instance), () => ({
      type: 'list_sessions',
      subscribe: true,
    }));
    this.#channels.set(instance, channel);
    channel.onDidChange(() => {
      set({ channel: channel.state });
      if (channel.state.phase === 'open') void this.#ports.renewal.renew(request => channel.request(request));
    });
    channel.onMessage(message => {
      if (message.kind === 'window') set({ state: message.state });
    });
    set({ channel: channel.state });
  }

  async #hello(nonce: Uint8Array): Promise<ClientHello | undefined> {
    const origin = relayOrigin(this.record.relay);
    const token = origin === undefined ? undefined : await this.#accessToken(origin);
    if (origin === undefined || token === undefined) return undefined;
    const { deviceId, keys } = this.record;
    const signed = helloSignedBytes({ relayOrigin: origin, nonce }, deviceId);
    const proof = base64.encode(await signAsDevice(this.#ports.platform, keys.identity, signed));
    return { type: 'client_hello', v: 1, device_id: deviceId, access_token: token, proof };
  }

  async #accessToken(origin: string): Promise<string | undefined> {
    const { clock, platform, kept } = this.#ports;
    const { accessExpiresAt, accessToken, deviceId, refreshToken, keys, relay } = this.record;
    if (clock.now() < accessExpiresAt - renewBeforeMs) return accessToken;
    const signed = refreshSignedBytes(origin, deviceId, refreshToken);
    const proof = base64.encode(await signAsDevice(platform, keys.identity, signed));
    const renewed = await refreshTokens(relay, { device_id: deviceId, refresh_token: refreshToken, proof });
    if (!renewed.ok) {
      // A token that the relay does not take any more is shown to it once, so that it says why.
      return renewed.code === 'unauthorized' || renewed.code === 'revoked' ? accessToken : undefined;
    }
    const { access_token, refresh_token, expires_at } = renewed.value;
    await kept.change(record => ({
      ...record,
      accessToken: access_token,
      refreshToken: refresh_token,
      accessExpiresAt: expires_at * 1000,
    }));
    return access_token;
  }

  #drawId(): string {
    return `c_${bytesToHex(this.#ports.crypto.randomBytes(12))}`;
  }
}

/** The windows that are there; when none is, those that were there last, so that one can read on. */
function* windowsToShow(
  known: Iterable<MachineWindow>,
  present: ReadonlySet<InstanceId>,
): Generator<readonly [InstanceId, MachineWindow]> {
  for (const window of known) {
    if (present.has(window.instance)) yield [window.instance, window];
    else if (present.size === 0) yield [window.instance, { ...window, channel: { phase: 'offline' } }];
  }
}
