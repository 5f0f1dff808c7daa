import { bytesToHex } from '@noble/hashes/utils.js';
import { writeU32, writeU64, labelBytes, textBytes } from './byteLayout.ts';

/** Direction byte of nonce and AAD (rule K1): 1 bridge to app, 2 app to bridge, 3 group stream. */
export type Direction = 1 | 2 | 3;

export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
/** A decoded `enc` shorter than this is dropped (rule K6). */
export const MIN_ENC_BYTES = NONCE_BYTES + TAG_BYTES;
/** The last epoch that carries frames (rule K7). */
export const MAX_EPOCH = 254;
/** The counter is 6 bytes wide. */
export const MAX_COUNTER = 2 ** 48 - 1;

const LABEL = labelBytes();

/** The parsed fields of a frame that its seal covers. */
export interface EnvelopeFields {
  readonly type: 'block' | 'control';
  /** The coarse hint; always 'control' when `type` is 'control' (rule K11). */
  readonly blockType: string;
  readonly replay: boolean;
  /** Milliseconds since the epoch as the sender set them: an integer from 0 to 2^53 - 1 (rule K12). */
  readonly serverTsMs: number;
}

/** Where a frame belongs, taken from the local channel. */
export interface EnvelopeRoute {
  readonly dir: Direction;
  readonly sessionId: string;
  /** Device id, `grp_` id, or empty (rule K4). */
  readonly dest: string;
}

/** What the 12 nonce bytes say. */
export interface NonceFields {
  readonly dir: number;
  /** 4 bytes. */
  readonly ch: Uint8Array;
  /** 0 to 255. */
  readonly epoch: number;
  /** 0 to 2^48 - 1. */
  readonly counter: number;
}

/** The AAD: label, dir, lp(type), lp(session_id), lp(block_type), replay, u64(ms), lp(dest). Source: rules K2, K4. */
export function envelopeAad(route: EnvelopeRoute, fields: EnvelopeFields): Uint8Array {
  return fillAad(aadTemplate(route, fields.type, fields.blockType), fields);
}

/** An AAD without replay flag and time, for the frames of one route and hint. */
export interface AadTemplate {
  readonly bytes: Uint8Array;
  /** Where the replay flag and, after it, the time belong. */
  readonly at: number;
}

/** The parts of the AAD that many frames share. */
export function aadTemplate(
  route: EnvelopeRoute,
  type: EnvelopeFields['type'],
  blockType: string,
): AadTemplate {
  const head = [type, route.sessionId, blockType].map(textBytes);
  const dest = textBytes(route.dest);
  const size = head.reduce((sum, part) => sum + 4 + part.length, LABEL.length + 1 + 9 + 4 + dest.length);
  const bytes = new Uint8Array(size);
  bytes.set(LABEL, 0);
  bytes[LABEL.length] = route.dir;
  let at = LABEL.length + 1;
  for (const part of head) at = writeLp(bytes, at, part);
  writeLp(bytes, at + 9, dest);
  return { bytes, at };
}

/** The AAD of one frame, from its template. */
export function fillAad(
  { bytes, at }: AadTemplate,
  { replay, serverTsMs }: Pick<EnvelopeFields, 'replay' | 'serverTsMs'>,
): Uint8Array {
  const out = new Uint8Array(bytes);
  out[at] = replay ? 1 : 0;
  writeU64(out, at + 1, serverTsMs);
  return out;
}

function writeLp(out: Uint8Array, at: number, part: Uint8Array): number {
  writeU32(out, at, part.length);
  out.set(part, at + 4);
  return at + 4 + part.length;
}

/** nonce12 = dir(1), ch(4), epoch(1), counter(6). */
export function packNonce({ dir, ch, epoch, counter }: NonceFields): Uint8Array {
  const out = new Uint8Array(NONCE_BYTES);
  out[0] = dir;
  out.set(ch, 1);
  out[5] = epoch;
  out[6] = Math.floor(counter / 2 ** 40);
  out[7] = Math.floor(counter / 2 ** 32);
  writeU32(out, 8, counter % 2 ** 32);
  return out;
}

/** Reads the nonce at the head of a decoded `enc`, or nothing when `enc` cannot hold a nonce and a tag. */
export function unpackNonce(enc: Uint8Array): NonceFields | undefined {
  if (enc.length < MIN_ENC_BYTES) return undefined;
  let counter = 0;
  for (let i = 6; i < NONCE_BYTES; i++) counter = counter * 256 + (enc[i] ?? 0);
  return { dir: enc[0] ?? 0, ch: enc.subarray(1, 5), epoch: enc[5] ?? 0, counter };
}

/** `enc` before base64: nonce12, then ciphertext and tag. */
export function packEnc(nonce: Uint8Array, sealed: Uint8Array): Uint8Array {
  const out = new Uint8Array(NONCE_BYTES + sealed.length);
  out.set(nonce, 0);
  out.set(sealed, NONCE_BYTES);
  return out;
}

/** The ch of a decoded `enc` in hex, to find its channel by (session_id, ch); nothing when `enc` is too short. */
export function channelOf(enc: Uint8Array): string | undefined {
  return enc.length < MIN_ENC_BYTES ? undefined : bytesToHex(enc.subarray(1, 5));
}
