import type { Result } from '../../core/base/result.ts';
import type { BridgeId, DeviceId } from '../../core/protocol/ids.ts';

export type DeviceRole = 'owner' | 'co_driver' | 'viewer';

/** A phone that a bridge confirmed. */
export interface DeviceRecord {
  readonly deviceId: DeviceId;
  readonly bridgeId: BridgeId;
  /** ECDSA P-256, 65 bytes uncompressed. */
  readonly deviceKey: Uint8Array;
  readonly role: DeviceRole;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** When the desk removed it. The row stays for a while, so that the phone can be told. */
  readonly revokedAt: number | undefined;
}

/** A token as it is stored: SHA-256 in lower-case hex, and when it ends in milliseconds since the epoch. */
export interface StoredToken {
  readonly digest: string;
  readonly expiresAt: number;
}

/** What a phone holds at a time. */
export interface StoredTokenPair {
  readonly access: StoredToken;
  readonly refresh: StoredToken;
}

export interface Rotation {
  readonly deviceId: DeviceId;
  /** The refresh token that was shown. */
  readonly shown: string;
  readonly next: StoredTokenPair;
  readonly nowMs: number;
}

/** What the relay knows of devices across restarts. Never content. */
export interface Registry {
  findDevice(deviceId: DeviceId): Promise<DeviceRecord | undefined>;
  /** The devices that are not revoked, oldest first. */
  devicesOf(bridgeId: BridgeId): Promise<readonly DeviceRecord[]>;
  /** `taken`: the id is in use or was; `full`: the bridge has its devices. */
  addDevice(device: DeviceRecord, tokens: StoredTokenPair): Promise<Result<true, 'taken' | 'full'>>;
  /** Marks the device revoked and forgets its tokens. @returns whether this bridge had it */
  revokeDevice(bridgeId: BridgeId, deviceId: DeviceId, nowMs: number): Promise<boolean>;
  /** The end of an access token of this device in milliseconds since the epoch, if it is known. */
  accessExpiry(deviceId: DeviceId, digest: string): Promise<number | undefined>;
  /**
   * Replaces a refresh token by the next pair, once. The token before the current one works again for
   * `refreshGraceMs`, since its answer may have been lost. Any other reuse is `reused`: somebody else holds a copy, so all
   * tokens of the device are forgotten.
   */
  rotate(rotation: Rotation): Promise<Result<true, 'unauthorized' | 'reused'>>;
  /** 32 bytes that are the relay's own, drawn by whoever asks first: all relays on one registry get the same. */
  secret(name: string): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}
