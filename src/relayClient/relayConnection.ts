import { base64 } from '@scure/base';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Emitter, type Event } from '../../core/base/emitter.ts';
import {
  initialConnectionState,
  reduceConnection,
  type ConnectionAction,
  type ConnectionState,
} from '../../core/channel/connectionState.ts';
import { receivedFrame } from '../../core/channel/channelFrame.ts';
import { deriveMacKey, frameMac } from '../../core/crypto/envMac.ts';
import type { LinkPort } from '../../core/crypto/linkPort.ts';
import { registerSignedBytes } from '../../core/crypto/verify.ts';
import type { BridgeId, InstanceId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import { messageFormat, parseJson } from '../../core/protocol/parseJson.ts';
import {
  toBridge,
  type BlockFrame,
  type Challenge,
  type FromBridge,
  type Register,
  type ToBridge,
} from '../../core/protocol/relayFrame.ts';
import type { RelayAddress } from './relayAddress.ts';
import { RelaySocket } from './relaySocket.ts';

const format = messageFormat(toBridge);

/** Bytes that may wait for the network before the connection is given up: phones resume from the journal. */
const maxBufferedBytes = 8 * 1_048_576;

export interface RelayConnectionPorts {
  readonly clock: Clock;
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
  readonly #frames = this.#disposables.add(
    new Emitter<Exclude<ToBridge, { type: 'challenge' | 'registered' }>>(),
  );
  readonly #states = this.#disposables.add(new Emitter<ConnectionState>());
  #state: ConnectionState = initialConnectionState;
  #socket: RelaySocket | undefined;
  #retry: Disposable | undefined;
  #macKey: Uint8Array | undefined;
  #sent = 0;
  #accessToken: string | undefined;

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
  send(frame: FromBridge): void {
    if (this.#state.phase !== 'online' || this.#socket === undefined) return;
    if (this.#socket.buffered > maxBufferedBytes) {
      this.#closeSocket();
      this.#dispatch({ type: 'closed', code: 1006, unit: this.#ports.unit() });
      return;
    }
    this.#socket.send(JSON.stringify(frame.type === 'block' ? this.#sign(frame) : frame));
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
      text: text => {
        if (this.#socket === socket) this.#onText(text);
      },
      closed: code => {
        // A late event of an old socket says nothing about the present one.
        if (this.#socket !== socket) return;
        this.#forgetSocket();
        this.#dispatch({ type: 'closed', code, unit: this.#ports.unit() });
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
  }

  #onText(text: string): void {
    const parsed = parseJson(text, format, limits.frameBytes);
    if (!parsed.ok) return;
    const frame = parsed.value;
    switch (frame.type) {
      case 'challenge':
        this.#register(frame);
        return;
      case 'registered':
        this.#accessToken = frame.access_token;
        this.#dispatch({ type: 'accepted' });
        return;
      case 'session_request':
      case 'session_resume':
      case 'control':
      case 'client_gone':
      case 'error':
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
    this.#socket?.send(JSON.stringify(register));
  }

  #sign(frame: BlockFrame): BlockFrame {
    const received = receivedFrame(frame);
    if (this.#macKey === undefined || received === undefined) return frame;
    const mac = frameMac(this.#ports.link, this.#macKey, this.#sent, received);
    this.#sent += 1;
    return { ...frame, sig: base64.encode(mac) };
  }
}
