import { fail, ok, type Result } from '../../base/result.ts';
import { deviceId, sessionId } from '../ids.ts';
import { limits } from '../limits.ts';
import type { BlockHint } from '../relayFrame.ts';
import { maxTimeMs, type Envelope } from './envelopeValue.ts';

/**
 * The compact form of an envelope, one WebSocket message each, for `terminull.bin.v1`. Big-endian:
 *
 *     u8  0x11 block | 0x12 control
 *     u8  flags: 1 replay, 2 dest, 4 device, 8 sig
 *     u8  hint, in the order of `hints`
 *     u64 server_ts in milliseconds
 *     u8 n, n bytes   session id
 *     u8 n, n bytes   dest, then device, then sig, each as its flag says
 *     the rest        enc: nonce(12), ciphertext, tag(16)
 */
const kinds = { block: 0x11, control: 0x12 } as const;
const flag = { replay: 1, dest: 2, device: 4, sig: 8 } as const;
const allFlags = 15;
const headerBytes = 11;
/** Ids are ASCII, of at most 128 characters. */
const idBytes = 128;
const sigSizes: ReadonlySet<number> = new Set([16, 64]);
/** nonce and tag: nothing shorter can be opened. */
const leastEncBytes = 28;

/** The order is the wire's. */
export const hints: readonly BlockHint[] = ['text', 'tool', 'attention', 'state', 'bulk', 'control'];

const id = /^[A-Za-z0-9_.:-]{1,128}$/;

export function encodeBinaryEnvelope(envelope: Envelope): Uint8Array<ArrayBuffer> {
  const isBlock = envelope.type === 'block';
  const { sessionId: session, timeMs, enc } = envelope;
  const dest = isBlock ? envelope.dest : undefined;
  const sig = isBlock ? envelope.sig : undefined;
  const device = isBlock ? undefined : envelope.deviceId;
  const out = new Uint8Array(
    headerBytes + sized(session) + sized(dest) + sized(device) + sized(sig) + enc.length,
  );
  const view = new DataView(out.buffer);
  out[0] = kinds[envelope.type];
  out[1] =
    (isBlock && envelope.replay ? flag.replay : 0) |
    (dest === undefined ? 0 : flag.dest) |
    (device === undefined ? 0 : flag.device) |
    (sig === undefined ? 0 : flag.sig);
  out[2] = hints.indexOf(isBlock ? envelope.hint : 'control');
  // Two halves: a BigInt for each frame would cost more than all of the rest.
  view.setUint32(3, Math.floor(timeMs / 2 ** 32));
  view.setUint32(7, timeMs % 2 ** 32);
  let at = putText(out, headerBytes, session);
  if (dest !== undefined) at = putText(out, at, dest);
  if (device !== undefined) at = putText(out, at, device);
  if (sig !== undefined) {
    out[at] = sig.length;
    out.set(sig, at + 1);
    at += 1 + sig.length;
  }
  out.set(enc, at);
  return out;
}

function sized(part: string | Uint8Array | undefined): number {
  return part === undefined ? 0 : 1 + part.length;
}

/** @param text ASCII. @returns where the next part begins */
function putText(out: Uint8Array, at: number, text: string): number {
  out[at] = text.length;
  for (let i = 0; i < text.length; i++) out[at + 1 + i] = text.charCodeAt(i);
  return at + 1 + text.length;
}

/** @returns `enc` and `sig` as views of `bytes`, not copies; `malformed` for whatever the encoder would not make */
export function decodeBinaryEnvelope(bytes: Uint8Array): Result<Envelope, 'malformed' | 'frame_too_large'> {
  if (bytes.length > limits.frameBytes) return fail('frame_too_large');
  if (bytes.length < headerBytes + 2) return fail('malformed');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = view.getUint8(0);
  const flags = view.getUint8(1);
  const hint = hints[view.getUint8(2)];
  const timeMs = view.getUint32(3) * 2 ** 32 + view.getUint32(7);
  const isBlock = kind === kinds.block;
  if ((!isBlock && kind !== kinds.control) || hint === undefined || timeMs > maxTimeMs)
    return fail('malformed');
  const allowed = isBlock ? flag.replay | flag.dest | flag.sig : flag.device;
  if ((flags & ~allowed & allFlags) !== 0 || flags > allFlags) return fail('malformed');
  if (!isBlock && hint !== 'control') return fail('malformed');

  let at = headerBytes;
  const take = (): Uint8Array | undefined => {
    const size = bytes[at];
    if (size === undefined || at + 1 + size > bytes.length) return undefined;
    const part = bytes.subarray(at + 1, at + 1 + size);
    at += 1 + size;
    return part;
  };
  const takeId = (): string | undefined => {
    const part = take();
    const text = part === undefined || part.length > idBytes ? '' : String.fromCharCode(...part);
    return id.test(text) ? text : undefined;
  };
  const session = takeId();
  const dest = (flags & flag.dest) === 0 ? null : takeId();
  const device = (flags & flag.device) === 0 ? null : takeId();
  const sig = (flags & flag.sig) === 0 ? null : take();
  const enc = bytes.subarray(at);
  if (session === undefined || dest === undefined || device === undefined || sig === undefined)
    return fail('malformed');
  if ((sig !== null && !sigSizes.has(sig.length)) || enc.length < leastEncBytes) return fail('malformed');
  const sealed = { sessionId: sessionId.parse(session), timeMs, enc };
  if (isBlock)
    return ok({
      type: 'block',
      ...sealed,
      hint,
      replay: (flags & flag.replay) !== 0,
      ...(dest === null ? {} : { dest }),
      ...(sig === null ? {} : { sig }),
    });
  const from = device === null ? undefined : deviceId.safeParse(device);
  if (from?.success === false) return fail('malformed');
  return ok({ type: 'control', ...sealed, ...(from === undefined ? {} : { deviceId: from.data }) });
}
