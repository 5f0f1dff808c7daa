import type { BridgeId } from '../../core/protocol/ids.ts';
import { createDeviceIdentity } from '../../platform/web/deviceSigner.ts';
import {
  createDeviceKey,
  createExtractableDeviceKey,
  isDeviceKeySound,
  type StoredDeviceKey,
} from '../../platform/web/deviceKey.ts';
import type { DeviceKeys } from './pairingRecord.ts';
import type { PairingShelf } from './pairingStore.ts';

type Trial = Pick<PairingShelf, 'roundTrip'> | undefined;

/**
 * Draws this phone's keys for one machine and proves, before anything depends on them, that they survive storage
 * (protocol.md 2.3, "Keys and where they live").
 */
export async function createDeviceKeys(platform: Crypto, store: Trial): Promise<DeviceKeys> {
  const keys: DeviceKeys = {
    dhKey: await createDeviceKey(platform),
    identity: await createDeviceIdentity(platform),
  };
  return (await asStored(platform, store, keys)) ?? { ...keys, dhKey: await createExtractableDeviceKey() };
}

/** Draws the key that is to follow `keys.dhKey`, for this machine alone, and proves it in the same way. */
export async function createNextKey(
  platform: Crypto,
  store: Trial,
  bridge: BridgeId,
  keys: DeviceKeys,
): Promise<StoredDeviceKey> {
  const next: DeviceKeys = { ...keys, dhKey: await createDeviceKey(platform) };
  return (await asStored(platform, store, next, bridge))?.dhKey ?? createExtractableDeviceKey();
}

/** @returns undefined for keys that do not survive storage */
async function asStored(
  platform: Crypto,
  store: Trial,
  keys: DeviceKeys,
  trial?: string,
): Promise<DeviceKeys | undefined> {
  if (store === undefined) return keys;
  const stored = await store.roundTrip(keys, trial);
  return stored !== undefined && (await isDeviceKeySound(platform, stored.dhKey)) ? stored : undefined;
}
