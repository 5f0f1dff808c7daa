import { base64 } from '@scure/base';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Emitter } from '../../core/base/emitter.ts';
import type { FromAppMessage, FromBridgeMessage } from '../../core/channel/relayMessage.ts';
import { bridgeId, controlSession } from '../../core/protocol/ids.ts';
import { ChannelClient } from '../../phone/net/channelClient.ts';
import type { ChannelRelay, Request } from '../../phone/net/channelClientOptions.ts';
import type { ChannelState } from '../../phone/net/channelState.ts';
import type { Answer } from '../../phone/net/pendingRequests.ts';
import type { PhoneFrame } from '../../phone/net/phoneRelay.ts';
import { ResumePermits } from '../../phone/net/resumePermits.ts';
import { DeviceKeyRing } from '../../phone/state/deviceKeyRing.ts';
import { KeyRenewal } from '../../phone/state/keyRenewal.ts';
import { createDeviceKeys, createNextKey } from '../../phone/storage/deviceKeys.ts';
import { KeptPairing } from '../../phone/storage/keptPairing.ts';
import type { PairingRecord } from '../../phone/storage/pairingRecord.ts';
import type { PairingShelf } from '../../phone/storage/pairingStore.ts';
import { nodeCrypto } from '../../platform/node/nodeCrypto.ts';
import { unwrapDeviceKey } from '../../platform/web/deviceKey.ts';
import { AnsweringDesk } from './answeringDesk.ts';
import { MemoryPairings } from './memoryPairings.ts';
import { untilChange } from './until.ts';

const platform = globalThis.crypto;

/** A desk and the storage of the phone that is paired there. */
export interface PairedDesk extends Disposable {
  readonly answering: AnsweringDesk;
  readonly store: MemoryPairings;
}

/** @param ageMs how old the phone's key is; undefined: of before there were dates */
export async function pairAtDesk(ageMs: number | undefined): Promise<PairedDesk> {
  const store = new MemoryPairings();
  const keys = await createDeviceKeys(platform, store);
  const answering = await AnsweringDesk.create('owner', await unwrapDeviceKey(platform, keys.dhKey));
  const { desk } = answering;
  const now = desk.clock.now();
  await store.save({
    bridgeId: bridgeId.parse(desk.identity.bridgeId),
    machine: 'm',
    relay: 'ws://127.0.0.1:1/v1/socket',
    deviceId: desk.device,
    role: 'owner',
    keys,
    ...(ageMs === undefined ? {} : { keySince: now - ageMs }),
    bridgePublicKey: desk.identity.dhKey.publicKey,
    sessionPsk: desk.psk,
    accessToken: 'a',
    refreshToken: 'r',
    accessExpiresAt: now,
    pairedAt: now,
  });
  return { answering, store, dispose: () => answering.dispose() };
}

/** One page of the phone app, from its start to its end: its way to the window, and the renewal of its key. */
export class PhoneAtDesk {
  readonly kept: KeptPairing;
  readonly renewal: KeyRenewal;
  readonly channel: ChannelClient;
  /** Everything that its user was shown of the way to the window. */
  readonly shown: ChannelState[] = [];
  /** Keys that it drew. */
  drawn = 0;
  /** Handshakes that it began. */
  handshakes = 0;
  /** What becomes of a frame of the phone's: it arrives, is lost, or a relay answers in the machine's place: refuses, or forges. */
  up: 'arrives' | 'lost' | 'refused' | 'forged' = 'arrives';
  /** What its next channel begins with. */
  greet: () => Request = () => ({ type: 'list_sessions' });
  /** Whether the phone hears the machine. */
  hears = true;
  readonly #desk: AnsweringDesk['desk'];
  readonly #disposables = new DisposableStore();
  readonly #frames = this.#disposables.add(new Emitter<PhoneFrame>());
  #isOver = false;
  #line: Promise<void> = Promise.resolve();

  private constructor(record: PairingRecord, { answering, store }: PairedDesk) {
    const { desk } = answering;
    this.#desk = desk;
    this.takeOver();
    // Nothing is stored for a page that is over.
    const ownStore: Pick<PairingShelf, 'change' | 'roundTrip'> = {
      change: (...changed) => (this.#isOver ? new Promise(() => undefined) : store.change(...changed)),
      roundTrip: (...tried) => (this.#isOver ? new Promise(() => undefined) : store.roundTrip(...tried)),
    };
    this.kept = new KeptPairing(record, ownStore);
    const ring = new DeviceKeyRing(platform, desk.clock, this.kept);
    this.renewal = new KeyRenewal({
      clock: desk.clock,
      kept: this.kept,
      ring,
      drawKey: ({ bridgeId: bridge, keys }) => {
        this.drawn += 1;
        return createNextKey(platform, ownStore, bridge, keys);
      },
    });
    const relay: ChannelRelay = {
      state: { phase: 'online' },
      instances: [desk.instance],
      permits: new ResumePermits(),
      onFrame: this.#frames.event,
      onDidChange: this.#disposables.add(new Emitter<void>()).event,
      send: frame => this.#send(frame),
      reconnect: () => undefined,
    };
    this.channel = this.#disposables.add(
      new ChannelClient({
        relay,
        crypto: nodeCrypto,
        clock: desk.clock,
        unit: () => 0,
        chooseKey: refused => ring.choose(refused),
        deviceId: record.deviceId,
        bridgeId: record.bridgeId,
        bridgePublicKey: record.bridgePublicKey,
        psk: record.sessionPsk,
        instanceId: desk.instance,
        sessionId: controlSession(desk.instance),
        greet: () => this.greet(),
      }),
    );
    this.channel.onDidChange(() => this.shown.push(this.channel.state));
  }

  /** The app starts, with what the browser stores. */
  static async start(paired: PairedDesk): Promise<PhoneAtDesk> {
    const [record] = await paired.store.all();
    if (record === undefined) throw new Error('no pairing is stored');
    return new PhoneAtDesk(record, paired);
  }

  /** The relay's only connection of this phone is this page's from now on. */
  takeOver(): void {
    this.#desk.deliver = frame => this.#hear(frame);
  }

  /** The way to the window is made anew. */
  async comeAgain(): Promise<void> {
    this.channel.restart();
    await this.until('open');
  }

  get hasWarned(): boolean {
    return this.shown.some(state => state.phase === 'refused');
  }

  /** Waits until the way to the window is in a phase. */
  async until(phase: ChannelState['phase']): Promise<void> {
    await untilChange(phase, () => this.channel.state.phase === phase, this.channel.onDidChange);
  }

  readonly ask = (request: Request): Promise<Answer> => this.channel.request(request);

  /** Comes in, and renews its key if it is time to. */
  async visit(): Promise<void> {
    await this.until('open');
    await this.renewal.renew(this.ask);
  }

  /** The page ends, whatever it was about to do. */
  end(): void {
    this.#isOver = true;
    this.up = 'lost';
    this.hears = false;
    this.#disposables.dispose();
  }

  #send(frame: FromAppMessage): void {
    const { up } = this;
    if (frame.type === 'session_request') this.handshakes += 1;
    if (up === 'lost') return;
    if (up === 'refused' && frame.type === 'session_request') {
      const { session_id, request_id } = frame;
      const error = {
        type: 'error',
        code: 'unauthorized',
        message: 'refused',
        session_id,
        request_id,
      } as const;
      setImmediate(() => this.#frames.fire(error));
      return;
    }
    if (up === 'forged' && frame.type === 'session_request') {
      const { session_id, request_id } = frame;
      const bridge_epk = base64.encode(nodeCrypto.randomBytes(48));
      const accept = { type: 'session_accept', session_id, request_id, bridge_epk, generation: 0 } as const;
      setImmediate(() => this.#frames.fire(accept));
      return;
    }
    // In order, as over a socket.
    this.#line = this.#line.then(() => this.#pass(frame));
  }

  async #pass(frame: FromAppMessage): Promise<void> {
    await new Promise(resolve => setImmediate(resolve));
    if (frame.type === 'control') await this.#desk.desk.onControl(frame);
    else await this.#desk.desk.onRequest({ ...frame, device_id: this.#desk.device });
  }

  #hear(frame: FromBridgeMessage): void {
    if (frame.type !== 'session_accept' && frame.type !== 'block' && frame.type !== 'error') return;
    if (this.hears) this.#frames.fire(frame);
  }
}

/** The public half of a key that is stored, as the machine's list has it. */
export function publicOf(stored: { readonly publicKey: Uint8Array }): string {
  return base64.encode(stored.publicKey);
}
