import type { LinkAuthentication } from '../../core/crypto/envMac.ts';
import type { CloseReason } from '../../core/protocol/closeCode.ts';
import type { Encoding } from '../../core/protocol/envelope/subprotocol.ts';
import type { AgentId, BridgeId, DeviceId, InstanceId, PairId } from '../../core/protocol/ids.ts';
import type { TokenBucket } from '../limits/tokenBucket.ts';
import type { PlainFrame } from './encodeFrame.ts';

/** The far end of a socket, as routing sees it. */
export interface Endpoint {
  readonly connId: string;
  /** How it sends and is sent envelopes. */
  readonly encoding: Encoding;
  /**
   * Queues one frame: bytes are an envelope in binary. A peer that does not read is ended instead. Nothing happens once
   * it is ended.
   */
  send(message: string | Uint8Array): void;
  /** Queues a frame as text. One that its own schema refuses is not sent, but named in the log. */
  tell(frame: PlainFrame): void;
  /** Closes with the code of `reason`. The peer has left before this returns. */
  end(reason: CloseReason): void;
}

/** A bridge window that proved its identity. */
export interface BridgeLink {
  readonly kind: 'bridge';
  readonly endpoint: Endpoint;
  readonly bridgeId: BridgeId;
  readonly instanceId: InstanceId;
  readonly agents: readonly AgentId[];
  readonly authentication: LinkAuthentication;
  /** Bounds signature checks; only in ed25519 mode. */
  readonly signedFrames: TokenBucket | undefined;
  /** SHA-256 of its HTTP token, lower-case hex. */
  readonly tokenDigest: string;
  /** `block` frames received so far (protocol.md K13). */
  connSeq: number;
}

/** A paired phone that proved its device key. */
export interface PhoneLink {
  readonly kind: 'phone';
  readonly endpoint: Endpoint;
  readonly bridgeId: BridgeId;
  readonly deviceId: DeviceId;
  /** The name by which it knows this relay: the one that its proof was signed for. */
  readonly origin: string;
  /** RFC 7638 thumbprint of the device key that it proved. */
  readonly thumbprint: string;
}

/** A phone that pairs: it may only speak in its pairing's session. */
export interface PairingLink {
  readonly kind: 'pairing';
  readonly endpoint: Endpoint;
  readonly bridgeId: BridgeId;
  readonly instanceId: InstanceId;
  readonly pairId: PairId;
}

export type Link = BridgeLink | PhoneLink | PairingLink;
export type AppLink = PhoneLink | PairingLink;
