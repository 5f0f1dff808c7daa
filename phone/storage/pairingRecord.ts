import type { BridgeId, DeviceId } from '../../core/protocol/ids.ts';
import type { StoredDeviceKey } from '../../platform/web/deviceKey.ts';
import type { StoredDeviceIdentity } from '../../platform/web/deviceSigner.ts';

/** The keys of this phone for one machine, as the browser stores them. */
export interface DeviceKeys {
  readonly dhKey: StoredDeviceKey;
  readonly identity: StoredDeviceIdentity;
}

/** One paired machine. */
export interface PairingRecord {
  readonly bridgeId: BridgeId;
  readonly machine: string;
  /** Socket URL of its relay. */
  readonly relay: string;
  readonly deviceId: DeviceId;
  readonly role: 'owner' | 'co_driver' | 'viewer';
  readonly keys: DeviceKeys;
  /** When `keys.dhKey` was drawn, in milliseconds since the epoch; a record of before there was a date has none. */
  readonly keySince?: number | undefined;
  /** The next S_d. It is stored before it is named to the machine, which may know it already. */
  readonly nextKey?: StoredDeviceKey | undefined;
  /** S_b, 32 bytes. */
  readonly bridgePublicKey: Uint8Array;
  /** 32 bytes. */
  readonly sessionPsk: Uint8Array;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Milliseconds since the epoch. */
  readonly accessExpiresAt: number;
  readonly pairedAt: number;
}
