import { base64 } from '@scure/base';
import { equalBytes } from '../../core/crypto/byteLayout.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import type { DeviceId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { PairedDevice } from './pairedDevice.ts';

/** `unauthorized`: not a key that may name another. `invalid_request`: the named key is in use. */
export type RotationRefusal = 'unauthorized' | 'invalid_request';

/** A phone that names its next key. Keys are X25519 public keys of 32 bytes. */
export interface KeyRotation {
  readonly device: DeviceId;
  /** The key that opened the channel on which it says so. */
  readonly proven: Uint8Array;
  readonly next: Uint8Array;
}

/** Whether a handshake with this key is this device's, at `nowMs` milliseconds since the epoch. */
export function isKeyOf({ S_d, previous }: PairedDevice, key: Uint8Array, nowMs: number): boolean {
  if (isSame(S_d, key)) return true;
  if (previous === undefined || !isSame(previous.S_d, key)) return false;
  const leftMs = previous.until * 1000 - nowMs;
  // More than a day left: the clock was set back, and must not give an old key more time.
  return leftMs > 0 && leftMs <= limits.replacedKeyMs;
}

/**
 * Puts the next key in place, and keeps the one of before it for a day at most. The same key again changes nothing. Only
 * the newest key may name another, so there are never more than two, and whoever got hold of an old one cannot stay.
 */
export function rotateKey(
  devices: PairedDevice[],
  { device: id, proven, next }: KeyRotation,
  nowMs: number,
): Result<PairedDevice[], RotationRefusal> {
  const device = devices.find(known => known.device_id === id);
  if (device === undefined) return fail('unauthorized');
  if (isSame(device.S_d, next)) return ok(devices);
  if (!isSame(device.S_d, proven)) return fail('unauthorized');
  if (devices.some(known => isHeldBy(known, next))) return fail('invalid_request');
  const until = Math.floor((nowMs + limits.replacedKeyMs) / 1000);
  const rotated = { ...device, S_d: base64.encode(next), previous: { S_d: device.S_d, until } };
  return ok(devices.map(known => (known === device ? rotated : known)));
}

/** The devices without the key that `proven` replaced: its phone holds `proven`, and needs the other no more. */
export function forgetReplacedKey(devices: PairedDevice[], id: DeviceId, proven: Uint8Array): PairedDevice[] {
  const holder = devices.find(device => device.device_id === id && isSame(device.S_d, proven));
  if (holder?.previous === undefined) return devices;
  return devices.map(device => (device === holder ? { ...device, previous: undefined } : device));
}

/** Whether the key is one of the device's, valid or not. */
export function isHeldBy({ S_d, previous }: PairedDevice, key: Uint8Array): boolean {
  return isSame(S_d, key) || (previous !== undefined && isSame(previous.S_d, key));
}

function isSame(text: string, key: Uint8Array): boolean {
  return equalBytes(base64.decode(text), key);
}
