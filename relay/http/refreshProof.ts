import type { LinkPort } from '../../core/crypto/linkPort.ts';
import type { DeviceId } from '../../core/protocol/ids.ts';

const LABEL = Buffer.from('relay-e2e/1 refresh');

/** What a device key signs to refresh: label " refresh", lp(origin), lp(device_id), lp(refresh_token). */
export function refreshSignedBytes(origin: string, device: DeviceId, refreshToken: string): Uint8Array {
  return Buffer.concat([LABEL, ...[origin, device, refreshToken].flatMap(lengthPrefixed)]);
}

/** Whether the proof holds under one of the names by which the phone may know this relay. */
export function isRefreshProof(
  port: LinkPort,
  origins: readonly string[],
  shown: { readonly device: DeviceId; readonly token: string; readonly proof: Uint8Array },
  deviceKey: Uint8Array,
): boolean {
  return origins.some(origin =>
    port.p256Verify(deviceKey, refreshSignedBytes(origin, shown.device, shown.token), shown.proof),
  );
}

function lengthPrefixed(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return [length, bytes];
}
