import { base64 } from '@scure/base';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Emitter, type Event } from '../../core/base/emitter.ts';
import type { Logger } from '../../core/base/logger.ts';
import {
  initialConnectionState,
  reduceConnection,
  type ConnectionAction,
  type ConnectionState,
} from '../../core/channel/connectionState.ts';
import {
  encodeMessage,
  type FromBridgeMessage,
  type ToBridgeMessage,
  type ToRelayMessage,
} from '../../core/channel/relayMessage.ts';
import { retryAfterMs } from '../../core/channel/retryAfterMs.ts';
import { deriveMacKey, frameMac } from '../../core/crypto/envMac.ts';
import type { LinkPort } from '../../core/crypto/linkPort.ts';
import { registerSignedBytes } from '../../core/crypto/verify.ts';
import type { Encoding } from '../../core/protocol/envelope/subprotocol.ts';
import type { BridgeId, InstanceId } from '../../core/protocol/ids.ts';
import type { BlockEnvelope } from '../../core/protocol/envelope/envelopeValue.ts';
import type { Challenge, Register } from '../../core/protocol/relayFrame.ts';
import { parseToBridge } from './parseToBridge.ts';
import type { RelayAddress } from './relayAddress.ts';
import { RelaySocket } from './relaySocket.ts';

/** Bytes that may wait for the network before the connection is given up: phones resume from the journal. */
const maxBufferedBytes = 8 * 1_048_576;

/** What a connection passes on. */
export type BridgeFrame = Exclude<ToBridgeMessage, { type: 'challenge' | 'registered' | 'bye' }>;

export interface RelayConnectionPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** A random number in [0, 1). */
  readonly unit: () => number;
  readonly link: LinkPort;
  readonly signer: { readonly publicKey: Uint8Array; sign(message: Uint8Array): Uint8Array };
  /** What to announce at each register. */
  readonly announce: () => Pick<Register, 'resumable_session_ids' | 'agents'>;
}

/** This window's connection to the relay: proves the bridge's identity, signs frames, comes back by itself. */
export class RelayConnection implements Disposable {
  readonly #address: RelayAddress;
  readonly #bridge: BridgeId;
  readonly #instance: InstanceId;
  readonly #ports: RelayConnectionPorts;
  readonly #disposables = new DisposableStore();
  readonly #frames = this.#disposables.add(new Emitter<BridgeFrame>());
  readonly #states = this.#disposables.add(new Emitter<ConnectionState>());
  #state: ConnectionState = initialConnectionState;
  #socket: RelaySocket | undefined;
  #retry: Disposable | undefined;
  #macKey: Uint8Array | undefined;
  #sent = 0;
  #accessToken: string | undefined;
  /** What the present socket's relay asked for. */
  #retryAfterMs: number | undefined;

  readonly onFrame = this.#frames.event;
  readonly onDidChangeState: Event<ConnectionState> = this.#states.event;

  constructor(address: RelayAddress, bridge: BridgeId, instance: InstanceId, ports: RelayConnectionPorts) {
    this.#address = address;
    this.#bridge = bridge;
    this.#instance = instance;
    this.#ports = ports;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Bearer for HTTP calls, while online. */
  get accessToken(): string | undefined {
    return this.#accessToken;
  }

  start(): void {
    this.#dispatch({ type: 'start' });
  }

  /** Frames sent while offline are dropped: whoever needs them resumes from the journal. */
  send(message: FromBridgeMessage): void {
    if (this.#state.phase !== 'online' || this.#socket === undefined) return;
    if (this.#socket.buffered > maxBufferedBytes) {
      this.#closeSocket();
      this.#dispatch({ type: 'closed', code: 1006, unit: this.#ports.unit() });
      return;
    }
    this.#write(this.#socket, message.type === 'block' ? this.#sign(message) : message);
  }

  dispose(): void {
    this.#dispatch({ type: 'stop' });
    this.#disposables.dispose();
  }

  #dispatch(action: ConnectionAction): void {
    const before = this.#state;
    this.#state = reduceConnection(before, action);
    if (this.#state === before) return;
    this.#retry?.dispose();
    switch (this.#state.phase) {
      case 'connecting':
        this.#open();
        break;
      case 'waiting':
        this.#retry = this.#ports.clock.after(this.#state.delayMs, () => this.#dispatch({ type: 'retry' }));
        break;
      case 'stopped':
        this.#closeSocket();
        break;
      case 'online':
        break;
    }
    this.#states.fire(this.#state);
  }

  #open(): void {
    this.#closeSocket();
    const socket = new RelaySocket(this.#address.socketUrl, this.#ports.clock, {
      message: message => {
        if (this.#socket === socket) this.#onMessage(message, socket.encoding);
      },
      closed: code => {
        // A late event of an old socket says nothing about the present one.
        if (this.#socket !== socket) return;
        const after = this.#retryAfterMs === undefined ? {} : { retryAfterMs: this.#retryAfterMs };
        this.#forgetSocket();
        this.#dispatch({ type: 'closed', code, unit: this.#ports.unit(), ...after });
      },
    });
    this.#socket = socket;
  }

  #closeSocket(): void {
    const socket = this.#socket;
    this.#forgetSocket();
    socket?.dispose();
  }

  #forgetSocket(): void {
    this.#socket = undefined;
    this.#macKey = undefined;
    this.#accessToken = undefined;
    this.#retryAfterMs = undefined;
  }

  #onMessage(message: string | Uint8Array, encoding: Encoding): void {
    const frame = parseToBridge(message, encoding);
    if (frame === undefined) return;
    switch (frame.type) {
      case 'challenge':
        this.#register(frame);
        return;
      case 'registered':
        this.#accessToken = frame.access_token;
        this.#dispatch({ type: 'accepted' });
        return;
      case 'error':
        this.#retryAfterMs = retryAfterMs(frame) ?? this.#retryAfterMs;
        this.#frames.fire(frame);
        return;
      // The close that follows says all that matters.
      case 'bye':
        return;
      case 'session_request':
      case 'session_resume':
      case 'control':
      case 'client_gone':
        this.#frames.fire(frame);
        return;
    }
  }

  #register(challenge: Challenge): void {
    const { link, signer } = this.#ports;
    const ephemeral = link.generateX25519();
    const relayEphemeral = base64.decode(challenge.e_r);
    const announced = this.#ports.announce();
    const signed = registerSignedBytes(
      { relayOrigin: this.#address.origin, nonce: base64.decode(challenge.nonce), relayEphemeral },
      {
        v: 1,
        bridgeId: this.#bridge,
        instanceId: this.#instance,
        sigMode: 'mac',
        bridgeEphemeral: ephemeral.publicKey,
        resumableSessionIds: announced.resumable_session_ids,
        agents: announced.agents,
      },
    );
    const macKey = deriveMacKey(link, ephemeral.dh(relayEphemeral), signed);
    if (!macKey.ok) {
      this.#closeSocket();
      this.#dispatch({ type: 'closed', code: 1006, unit: this.#ports.unit() });
      return;
    }
    this.#macKey = macKey.value;
    this.#sent = 0;
    const register: Register = {
      type: 'register',
      v: 1,
      bridge_id: this.#bridge,
      instance_id: this.#instance,
      k_b: base64.encode(signer.publicKey),
      sig_mode: 'mac',
      e_b: base64.encode(ephemeral.publicKey),
      ...announced,
      sig: base64.encode(signer.sign(signed)),
    };
    if (this.#socket !== undefined) this.#write(this.#socket, register);
  }

  #write(socket: RelaySocket, message: ToRelayMessage): void {
    const encoded = encodeMessage(message, socket.encoding);
    if (encoded === undefined) this.#ports.logger.error('relay.invalid', { type: message.type });
    else socket.send(encoded);
  }

  #sign(envelope: BlockEnvelope): BlockEnvelope {
    if (this.#macKey === undefined) return envelope;
    const { sessionId, dest, hint, replay, timeMs, enc } = envelope;
    const frame = { sessionId, dest, blockType: hint, replay, serverTsMs: timeMs, enc };
    const sig = frameMac(this.#ports.link, this.#macKey, this.#sent, frame);
    this.#sent += 1;
    return { ...envelope, sig };
  }
}
