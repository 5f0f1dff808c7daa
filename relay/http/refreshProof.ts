import { refreshSignedBytes } from '../../core/crypto/verify.ts';
import type { LinkPort } from '../../core/crypto/linkPort.ts';
import type { DeviceId } from '../../core/protocol/ids.ts';

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
