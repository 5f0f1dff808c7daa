import { randomBytes } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import type { LinkPort } from '../../core/crypto/linkPort.ts';
import { chooseSubprotocol } from '../../core/protocol/envelope/subprotocol.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { CloseReason } from '../../core/protocol/closeCode.ts';
import { clientAddress } from '../limits/clientAddress.ts';
import { relayLimits } from '../limits/relayLimits.ts';
import type { RelayLog } from '../relayLog.ts';
import type { RelayNames } from '../relayNames.ts';
import type { PlainFrame } from '../routing/encodeFrame.ts';
import type { Hub } from '../routing/hub.ts';
import type { Dispatcher } from './dispatcher.ts';
import { Peer, type PeerHost, type PeerState } from './peer.ts';
import { PeerSocket } from './peerSocket.ts';
import { WriteBatch } from './writeBatch.ts';

export const SOCKET_PATH = '/v1/socket';

/** What the gate needs. */
export interface GatePorts {
  readonly clock: Clock;
  readonly port: LinkPort;
  readonly hub: Hub;
  readonly names: RelayNames;
  readonly log: RelayLog;
  readonly trustProxy: boolean;
}

/** Lets sockets in, counts them, and looks after all of them with one timer. */
export class SocketGate implements PeerHost, Disposable {
  readonly batch = new WriteBatch();
  readonly #ports: GatePorts;
  readonly #server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: limits.frameBytes,
    clientTracking: false,
    skipUTF8Validation: true,
    handleProtocols: offered => chooseSubprotocol(offered) ?? false,
    WebSocket: PeerSocket,
  });
  readonly #peers = new Set<Peer>();
  readonly #strangers = new Map<Peer, string>();
  readonly #slowed = new Set<Peer>();
  #dispatcher: Dispatcher | undefined;
  #sweeping: Disposable | undefined;
  #nextConn = 0;

  constructor(ports: GatePorts) {
    this.#ports = ports;
  }

  get size(): number {
    return this.#peers.size;
  }

  start(dispatcher: Dispatcher): void {
    this.#dispatcher = dispatcher;
    this.#sweepLater();
  }

  /** Answers an HTTP upgrade. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', ignoreStreamError);
    const refusal = this.#refusalOf(request);
    if (refusal !== undefined) return refuseUpgrade(stream, refusal);
    this.#server.handleUpgrade(request, stream, head, socket => {
      stream.off('error', ignoreStreamError);
      this.#accept(socket, request, stream);
    });
  }

  received(peer: Peer, data: Buffer, isBinary: boolean): void {
    this.#dispatcher?.receive(peer, data, isBinary);
  }

  heard(peer: Peer): void {
    peer.heardAt = this.#ports.clock.monotonic();
  }

  known(peer: Peer): void {
    this.#strangers.delete(peer);
  }

  left(peer: Peer, before: PeerState, reason: CloseReason | 'gone'): void {
    this.#strangers.delete(peer);
    this.#slowed.delete(peer);
    peer.endsAt = this.#ports.clock.monotonic() + relayLimits.stopMs;
    this.#dispatcher?.left(peer, before, reason);
  }

  invalid(peer: Peer, type: PlainFrame['type']): void {
    this.#ports.log.error('invalid frame', { conn: peer.connId, type });
  }

  closed(peer: Peer): void {
    this.#peers.delete(peer);
  }

  slowDown(peer: Peer): void {
    if (peer.state.kind === 'ended') return;
    peer.pause();
    this.#slowed.add(peer);
  }

  /** Tells all peers that the relay goes. */
  endAll(): void {
    for (const peer of this.#peers) peer.end('service_restart');
  }

  dispose(): void {
    this.#sweeping?.dispose();
    for (const peer of this.#peers) peer.terminate();
    this.#peers.clear();
    this.#server.close();
  }

  #refusalOf(request: IncomingMessage): number | undefined {
    const { host, origin } = request.headers;
    if (!this.#ports.names.accepts(host)) return 421;
    if (origin !== undefined && !this.#ports.names.isOwnPage(origin, host)) return 403;
    if (request.url?.split('?')[0] !== SOCKET_PATH) return 404;
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map(each => each.trim());
    if (chooseSubprotocol(new Set(offered)) === undefined) return 400;
    if (this.#peers.size >= relayLimits.sockets) return 503;
    if (this.#strangers.size >= relayLimits.strangers) return 503;
    const address = this.#addressOf(request);
    let same = 0;
    for (const other of this.#strangers.values()) if (other === address) same += 1;
    return same >= relayLimits.strangersPerAddress ? 429 : undefined;
  }

  #accept(socket: PeerSocket, request: IncomingMessage, stream: Duplex): void {
    const { clock, port, hub } = this.#ports;
    const now = clock.monotonic();
    const greeting = { nonce: new Uint8Array(randomBytes(32)), key: port.generateX25519() };
    const source = { address: this.#addressOf(request), host: request.headers.host };
    this.#nextConn += 1;
    const peer = new Peer(`c${this.#nextConn}`, source, socket, stream, this, {
      greeting,
      now,
      endsAt: now + limits.helloTimeoutMs,
    });
    this.#peers.add(peer);
    this.#strangers.set(peer, source.address);
    socket.peer = peer;
    socket.on('message', onMessage);
    socket.on('close', onClose);
    socket.on('error', ignoreSocketError);
    socket.on('ping', onSignOfLife);
    socket.on('pong', onSignOfLife);
    peer.tell({
      type: 'challenge',
      v: 1,
      nonce: Buffer.from(greeting.nonce).toString('base64'),
      e_r: Buffer.from(greeting.key.publicKey).toString('base64'),
      server_time: hub.now,
    });
  }

  #addressOf(request: IncomingMessage): string {
    const header = request.headers['x-forwarded-for'];
    const forwardedFor = Array.isArray(header) ? header.join(',') : header;
    return clientAddress(
      { remoteAddress: request.socket.remoteAddress, forwardedFor },
      this.#ports.trustProxy,
    );
  }

  #sweepLater(): void {
    this.#sweeping = this.#ports.clock.after(relayLimits.sweepMs, () => {
      this.#sweep(this.#ports.clock.monotonic());
      this.#sweepLater();
    });
  }

  /** Ends who is late or silent, asks who has been quiet, reads on from who has rested. */
  #sweep(now: number): void {
    for (const peer of this.#peers) {
      const { kind } = peer.state;
      if (now >= peer.endsAt) {
        if (kind === 'ended') peer.terminate();
        else peer.end(kind === 'pairing' ? 'unauthorized' : 'hello_timeout');
      } else if (now - peer.heardAt >= limits.idleCloseMs) {
        peer.terminate();
      } else if (now - Math.max(peer.askedAt, peer.heardAt) >= limits.pingIntervalMs) {
        peer.askedAt = now;
        peer.ping();
      }
    }
    for (const peer of this.#slowed)
      if (peer.resumeWhenRested(relayLimits.bridgeFrames, now)) this.#slowed.delete(peer);
  }
}

function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  if (this instanceof PeerSocket && Buffer.isBuffer(data)) this.peer?.receive(data, isBinary);
}

function onSignOfLife(this: WebSocket): void {
  if (this instanceof PeerSocket) this.peer?.signOfLife();
}

function onClose(this: WebSocket): void {
  if (this instanceof PeerSocket) this.peer?.gone();
}

/** What follows is always 'close', which is where a peer leaves. */
function ignoreSocketError(): void {
  return;
}

function ignoreStreamError(): void {
  return;
}

function refuseUpgrade(stream: Duplex, status: number): void {
  const retry = status === 503 || status === 429 ? 'Retry-After: 10\r\n' : '';
  const reason = STATUS_CODES[status] ?? '';
  stream.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n${retry}\r\n`);
}
