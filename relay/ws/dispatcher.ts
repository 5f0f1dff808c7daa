import type { CloseReason } from '../../core/protocol/closeCode.ts';
import { limits } from '../../core/protocol/limits.ts';
import { relayLimits } from '../limits/relayLimits.ts';
import type { RelayLog } from '../relayLog.ts';
import { routeFromApp, type FrameOutcome } from '../routing/fromApp.ts';
import { routeFromBridge } from '../routing/fromBridge.ts';
import type { Hub } from '../routing/hub.ts';
import type { AppLink, BridgeLink } from '../routing/link.ts';
import { newToken } from '../routing/token.ts';
import type { Register } from '../../core/protocol/relayFrame.ts';
import {
  checkHello,
  checkRegister,
  checkTicket,
  parseFirstFrame,
  type Greeted,
  type GreetPorts,
  type PairedHello,
} from './greet.ts';
import type { Peer, PeerState } from './peer.ts';

/** What the dispatcher needs beyond what a first frame is checked against. */
export interface DispatchPorts extends GreetPorts {
  readonly hub: Hub;
  readonly log: RelayLog;
  /** Origins under which a peer that sent this Host may know the relay. */
  origins(host: string | undefined): readonly string[];
  /** Reads no more from `peer` until it has rested. */
  slowDown(peer: Peer): void;
}

/** Looks that a hello gets when devices are revoked at the same time. */
const HELLO_LOOKS = 3;

/** Gives every frame to what handles it, by who sent it. */
export class Dispatcher {
  readonly #ports: DispatchPorts;

  constructor(ports: DispatchPorts) {
    this.#ports = ports;
  }

  receive(peer: Peer, data: Buffer, isBinary: boolean): void {
    const state = peer.state;
    const now = this.#ports.clock.monotonic();
    peer.heardAt = now;
    if (state.kind === 'ended') return;
    const most = state.kind === 'stranger' ? limits.helloBytes : limits.frameBytes;
    if (data.length > most) return peer.refuse('frame_too_large', 'frame_too_large');
    const isKnown = state.kind !== 'stranger' && state.kind !== 'checking';
    // Only envelopes are binary, and only on a connection that chose so; nobody begins with one.
    if (isBinary && !(isKnown && peer.encoding === 'binary'))
      return peer.refuse('invalid_request', 'invalid_request');
    switch (state.kind) {
      case 'stranger':
        return this.#greet(peer, { greeting: state.greeting, endpoint: peer, origins: [] }, data.toString());
      case 'checking':
        // It speaks before it is told that it may.
        return peer.refuse('unauthorized', 'unauthorized');
      case 'bridge':
        return this.#fromBridge(peer, state, isBinary ? data : data.toString(), now);
      case 'phone':
      case 'pairing':
        return this.#fromApp(peer, state, isBinary ? data : data.toString(), now);
    }
  }

  /** Ends what a peer was part of. */
  left(peer: Peer, before: PeerState, reason: CloseReason | 'gone'): void {
    this.#ports.log.info('left', { conn: peer.connId, was: before.kind, reason });
    switch (before.kind) {
      case 'bridge':
      case 'phone':
        return this.#ports.hub.leave(before);
      case 'pairing':
        this.#ports.pairings.detach(before.pairId);
        return this.#ports.hub.leave(before);
      case 'stranger':
      case 'checking':
      case 'ended':
        return;
    }
  }

  #greet(peer: Peer, stranger: Greeted, text: string): void {
    const parsed = parseFirstFrame(text);
    if (!parsed.ok) return this.#turnAway(peer, parsed.code);
    const frame = parsed.value;
    const greeted = { ...stranger, origins: this.#ports.origins(peer.source.host) };
    if (frame.type === 'register') return this.#register(peer, greeted, frame);
    if (!('pair_ticket' in frame)) {
      peer.startChecking();
      void this.#hello(peer, greeted, frame);
      return;
    }
    const checked = checkTicket(this.#ports, peer, frame.pair_ticket);
    if (!checked.ok) return this.#turnAway(peer, checked.code);
    peer.become(checked.value, this.#ports.clock.monotonic() + 2 * limits.pairingMs);
    this.#ports.hub.joinPairing(checked.value);
    this.#ports.log.info('pairing', { conn: peer.connId, bridge: checked.value.bridgeId });
  }

  #register(peer: Peer, greeted: Greeted, frame: Register): void {
    const { hub, log } = this.#ports;
    const reserved = frame.resumable_session_ids.some(id => /^(?:ctl|pair):/.test(id));
    if (reserved) return this.#turnAway(peer, 'invalid_request');
    const token = newToken();
    const checked = checkRegister(this.#ports, greeted, frame, token);
    if (!checked.ok) return this.#turnAway(peer, checked.code);
    const link = checked.value;
    if (!hub.hasRoom(link)) return this.#turnAway(peer, 'rate_limited');
    peer.become(link, Infinity);
    peer.tell({
      type: 'registered',
      conn_id: peer.connId,
      access_token: token,
      limits: { frame: limits.frameBytes, in_flight: limits.inFlight, queue: limits.queueFrames },
    });
    for (const session of hub.joinBridge(link, frame.resumable_session_ids)) {
      const message = 'another window holds this session';
      peer.tell({ type: 'error', code: 'busy', message, session_id: session });
    }
    log.info('bridge', { conn: peer.connId, bridge: link.bridgeId, instance: link.instanceId });
  }

  async #hello(peer: Peer, greeted: Greeted, frame: PairedHello): Promise<void> {
    const { hub, log } = this.#ports;
    try {
      for (let look = 0; look < HELLO_LOOKS; look++) {
        const before = hub.revocations;
        const checked = await checkHello(this.#ports, greeted, frame);
        if (before !== hub.revocations) continue;
        if (!checked.ok) return this.#turnAway(peer, checked.code);
        if (peer.state.kind === 'ended') return;
        peer.become(checked.value, Infinity);
        hub.joinPhone(checked.value);
        log.info('phone', { conn: peer.connId, device: frame.device_id });
        return;
      }
      this.#turnAway(peer, 'rate_limited');
    } catch (error) {
      log.error('hello failed', {
        conn: peer.connId,
        error: error instanceof Error ? error.name : 'unknown',
      });
      this.#turnAway(peer, 'internal');
    }
  }

  #fromBridge(peer: Peer, link: BridgeLink, message: string | Uint8Array, now: number): void {
    const { hub, port } = this.#ports;
    const isRested = peer.count(relayLimits.bridgeFrames, now);
    const isCheap = link.signedFrames?.take(relayLimits.signedFrames, now) !== false;
    if (!isRested || !isCheap) this.#ports.slowDown(peer);
    this.#settle(peer, routeFromBridge(hub, port, link, message), message.length);
  }

  #fromApp(peer: Peer, link: AppLink, message: string | Uint8Array, now: number): void {
    if (!peer.count(relayLimits.phoneFrames, now)) return this.#turnAway(peer, 'rate_limited');
    const outcome = routeFromApp(this.#ports.hub, link, message);
    if (typeof outcome === 'string') this.#settle(peer, outcome, message.length);
    else void outcome.then(settled => this.#settle(peer, settled, message.length));
  }

  #settle(peer: Peer, outcome: FrameOutcome, size: number): void {
    switch (outcome) {
      case 'forwarded':
        return;
      case 'ignored':
      case 'refused':
        return this.#ports.log.debug(outcome, { conn: peer.connId, size });
      case 'malformed':
        return peer.refuse('invalid_request', 'invalid_request');
      case 'bad_mac':
        // Not final: a bridge whose frames were altered on the way may come back.
        return peer.refuse('bad_mac', 'invalid_request');
    }
  }

  #turnAway(peer: Peer, reason: CloseReason): void {
    switch (reason) {
      case 'hello_timeout':
      case 'service_restart':
        return peer.refuse('internal', reason);
      case 'invalid_request':
      case 'unauthorized':
      case 'revoked':
      case 'replaced':
      case 'frame_too_large':
      case 'incompatible_version':
      case 'rate_limited':
      case 'slow_consumer':
      case 'internal':
        return peer.refuse(reason, reason);
    }
  }
}
