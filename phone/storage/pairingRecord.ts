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
