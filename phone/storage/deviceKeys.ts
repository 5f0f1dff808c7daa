import { createDeviceIdentity } from '../../platform/web/deviceSigner.ts';
import {
  createDeviceKey,
  createExtractableDeviceKey,
  isDeviceKeySound,
} from '../../platform/web/deviceKey.ts';
import type { DeviceKeys } from './pairingRecord.ts';
import type { PairingStore } from './pairingStore.ts';

/**
 * Draws this phone's keys for one machine and proves, before anything depends on them, that they survive storage
 * (protocol.md 2.3, "Keys and where they live").
 */
export async function createDeviceKeys(
  platform: Crypto,
  store: PairingStore | undefined,
): Promise<DeviceKeys> {
  const keys: DeviceKeys = {
    dhKey: await createDeviceKey(platform),
    identity: await createDeviceIdentity(platform),
  };
  if (store === undefined) return keys;
  const stored = await store.roundTrip(keys);
  if (stored !== undefined && (await isDeviceKeySound(platform, stored.dhKey))) return stored;
  return { ...keys, dhKey: await createExtractableDeviceKey() };
}
