import { concatBytes } from '@noble/hashes/utils.js';
import { fail, ok, type Result } from '../base/result.ts';
import { equalBytes, isAllZero, labelBytes, u64 } from './byteLayout.ts';
import { envelopeAad, type EnvelopeFields } from './envelope.ts';
import { hkdf, type HmacPort } from './hkdf.ts';
import type { LinkPort } from './linkPort.ts';

/** Bytes of a `sig` in mac mode. */
export const LINK_MAC_BYTES = 16;
/** No device id begins with it (rule K13). */
export const GROUP_DEST_PREFIX = 'grp_';

const BATCH = Uint8Array.of(0x62, 0x61, 0x74, 0x63, 0x68);

/** A parsed `block` frame on the way from bridge to relay, its `enc` decoded. */
export interface LinkFrame extends Omit<EnvelopeFields, 'type'> {
  readonly sessionId: string;
  readonly dest?: string | undefined;
  readonly enc: Uint8Array;
}

/** How a connection's frames are signed, fixed at register; the other form or none closes it. */
export type LinkAuthentication =
  | { readonly mode: 'mac'; /** 32 bytes. */ readonly macKey: Uint8Array }
  | { readonly mode: 'ed25519'; /** K_b, 32 bytes. */ readonly bridgeIdentity: Uint8Array };

/** The AAD as the relay builds it from the frame alone: dir 3 when dest begins with `grp_`, else 1 (rule K13). */
export function linkAad(frame: LinkFrame): Uint8Array {
  const { sessionId, dest = '', blockType, replay, serverTsMs } = frame;
  const dir = dest.startsWith(GROUP_DEST_PREFIX) ? 3 : 1;
  return envelopeAad({ dir, sessionId, dest }, { type: 'block', blockType, replay, serverTsMs });
}

/**
 * mac_key = HKDF(X25519(e_b, e_r), salt = SHA-256(register's signed bytes), info = label " env-mac"), for both ends.
 *
 * @param sharedSecret the X25519 output; all zero is refused
 * @returns 32 bytes
 */
export function deriveMacKey(
  port: Pick<LinkPort, 'sha256' | 'hmacSha256'>,
  sharedSecret: Uint8Array,
  signedBytes: Uint8Array,
): Result<Uint8Array, 'refused_key'> {
  if (isAllZero(sharedSecret)) return fail('refused_key');
  return ok(hkdf(port, { ikm: sharedSecret, salt: port.sha256(signedBytes), info: labelBytes(' env-mac') }));
}

/**
 * `sig` of one frame: HMAC-SHA-256(mac_key, u64(conn_seq), AAD, raw enc)[0..16].
 *
 * @param connSeq 0 for the first `block` frame after register on this socket, counting `block` frames only
 */
export function frameMac(port: HmacPort, macKey: Uint8Array, connSeq: number, frame: LinkFrame): Uint8Array {
  const data = concatBytes(u64(connSeq), linkAad(frame), frame.enc);
  return port.hmacSha256(macKey, data).subarray(0, LINK_MAC_BYTES);
}

/** `sig` of a batch in the binary encoding; conn_seq then grows by the number of frames. */
export function batchMac(
  port: HmacPort,
  macKey: Uint8Array,
  firstConnSeq: number,
  frames: readonly LinkFrame[],
): Uint8Array {
  const parts = frames.flatMap(frame => [linkAad(frame), frame.enc]);
  const data = concatBytes(u64(firstConnSeq), BATCH, ...parts);
  return port.hmacSha256(macKey, data).subarray(0, LINK_MAC_BYTES);
}

/** What K_b signs in the per-envelope form: label " env-sig", AAD, SHA-256(raw enc). No replay protection (K21). */
export function envelopeSignedBytes(port: Pick<LinkPort, 'sha256'>, frame: LinkFrame): Uint8Array {
  return concatBytes(labelBytes(' env-sig'), linkAad(frame), port.sha256(frame.enc));
}

/** Checks the decoded `sig` of one frame. False is `bad_mac`: the relay closes the connection (rule K13). */
export function verifyFrameSig(
  port: LinkPort,
  authentication: LinkAuthentication,
  connSeq: number,
  frame: LinkFrame,
  sig: Uint8Array | undefined,
): boolean {
  if (sig === undefined) return false;
  switch (authentication.mode) {
    case 'mac':
      return equalBytes(sig, frameMac(port, authentication.macKey, connSeq, frame));
    case 'ed25519':
      return port.ed25519Verify(authentication.bridgeIdentity, envelopeSignedBytes(port, frame), sig);
  }
}

/** Checks the `sig` of a batch, which only a connection in mac mode may send. */
export function verifyBatchSig(
  port: LinkPort,
  authentication: LinkAuthentication,
  firstConnSeq: number,
  frames: readonly LinkFrame[],
  sig: Uint8Array,
): boolean {
  if (authentication.mode !== 'mac') return false;
  return equalBytes(sig, batchMac(port, authentication.macKey, firstConnSeq, frames));
}
