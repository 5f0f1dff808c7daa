import { base64 } from '@scure/base';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Emitter } from '../../core/base/emitter.ts';
import {
  initialConnectionState,
  reduceConnection,
  type ConnectionAction,
  type ConnectionState,
} from '../../core/channel/connectionState.ts';
import { encodeMessage, type FromAppMessage, type ToAppMessage } from '../../core/channel/relayMessage.ts';
import { retryAfterMs } from '../../core/channel/retryAfterMs.ts';
import type { InstanceId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { Challenge, ClientHello } from '../../core/protocol/relayFrame.ts';
import { parseToApp } from './parseToApp.ts';
import { RelaySocket } from './relaySocket.ts';
import { ResumePermits } from './resumePermits.ts';

/** A relay that accepts a socket and then says nothing is given up after this. */
const answerTimeoutMs = limits.helloTimeoutMs;

export type PhoneFrame = Extract<ToAppMessage, { type: 'session_accept' | 'block' | 'error' }>;

export interface PhoneRelayPorts {
  readonly clock: Clock;
  /** A random number in [0, 1). */
  readonly unit: () => number;
  /** Who we are, over the challenge's nonce; undefined when tokens cannot be had right now. */
  readonly hello: (nonce: Uint8Array) => Promise<ClientHello | undefined>;
}

/** A phone's connection to one relay, for one pairing. Comes back by itself; tells which windows are there. */
export class PhoneRelay implements Disposable {
  readonly #url: string;
  readonly #ports: PhoneRelayPorts;
  readonly #disposables = new DisposableStore();
  readonly #frames = this.#disposables.add(new Emitter<PhoneFrame>());
  readonly #changes = this.#disposables.add(new Emitter<void>());
  #state: ConnectionState = initialConnectionState;
  #instances: readonly InstanceId[] = [];
  #socket: RelaySocket | undefined;
  #timer: Disposable | undefined;
  /** What the present socket's relay asked for. */
  #retryAfterMs: number | undefined;

  /** What the present connection lets this phone ask for again. */
  readonly permits = new ResumePermits();
  readonly onFrame = this.#frames.event;
  /** Connection or windows changed. */
  readonly onDidChange = this.#changes.event;

  constructor(url: string, ports: PhoneRelayPorts) {
    this.#url = url;
    this.#ports = ports;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The windows of this machine that the relay reaches now. */
  get instances(): readonly InstanceId[] {
    return this.#instances;
  }

  start(): void {
    this.#dispatch({ type: 'start' });
  }

  /** The network or the page came back: a waiting retry happens now. */
  wake(): void {
    this.#dispatch({ type: 'retry' });
  }

  /** Gives the present socket up, for a connection that no longer proves that it is alive. */
  reconnect(): void {
    this.#fail();
  }

  send(message: FromAppMessage): void {
    if (this.#state.phase !== 'online' || this.#socket === undefined) return;
    const encoded = encodeMessage(message, this.#socket.encoding);
    if (encoded !== undefined) this.#socket.send(encoded);
  }

  dispose(): void {
    this.#dispatch({ type: 'stop' });
    this.#disposables.dispose();
  }

  #dispatch(action: ConnectionAction): void {
    const before = this.#state;
    this.#state = reduceConnection(before, action);
    if (this.#state === before) return;
    this.#timer?.dispose();
    switch (this.#state.phase) {
      case 'connecting':
        this.#open();
        this.#timer = this.#ports.clock.after(answerTimeoutMs, () => this.#fail());
        break;
      case 'waiting':
        this.#timer = this.#ports.clock.after(this.#state.delayMs, () => this.#dispatch({ type: 'retry' }));
        break;
      case 'stopped':
        this.#closeSocket();
        break;
      case 'online':
        break;
    }
    this.#changes.fire();
  }

  #open(): void {
    this.#closeSocket();
    const socket = new RelaySocket(this.#url, {
      message: message => {
        if (this.#socket === socket) this.#onMessage(socket, message);
      },
      closed: code => {
        if (this.#socket === socket) this.#fail(code);
      },
    });
    this.#socket = socket;
  }

  #fail(code = 1006): void {
    const after = this.#retryAfterMs === undefined ? {} : { retryAfterMs: this.#retryAfterMs };
    this.#closeSocket();
    this.#dispatch({ type: 'closed', code, unit: this.#ports.unit(), ...after });
  }

  #closeSocket(): void {
    this.#socket?.dispose();
    this.#socket = undefined;
    this.#instances = [];
    this.permits.clear();
    this.#retryAfterMs = undefined;
  }

  #onMessage(socket: RelaySocket, message: string | Uint8Array): void {
    const frame = parseToApp(message, socket.encoding);
    if (frame === undefined) return;
    switch (frame.type) {
      case 'challenge':
        void this.#answer(socket, frame);
        return;
      case 'relay_status':
        this.#instances = frame.instances;
        this.permits.add(frame.resume_tokens);
        this.#dispatch({ type: 'accepted' });
        this.#changes.fire();
        return;
      case 'bridge_gone':
        this.#instances = this.#instances.filter(instance => instance !== frame.instance_id);
        this.#changes.fire();
        return;
      case 'error':
        this.#retryAfterMs = retryAfterMs(frame) ?? this.#retryAfterMs;
        this.#frames.fire(frame);
        return;
      // The close that follows says all that matters.
      case 'bye':
        return;
      case 'session_accept':
      case 'block':
        this.#frames.fire(frame);
        return;
    }
  }

  async #answer(socket: RelaySocket, challenge: Challenge): Promise<void> {
    const hello = await this.#ports.hello(base64.decode(challenge.nonce));
    if (this.#socket !== socket) return;
    const encoded = hello && encodeMessage(hello, socket.encoding);
    if (encoded === undefined) this.#fail();
    else socket.send(encoded);
  }
}
