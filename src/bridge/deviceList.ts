import { statSync } from 'node:fs';
import { join } from 'node:path';
import { base64 } from '@scure/base';
import * as z from 'zod/mini';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { equalBytes } from '../../core/crypto/byteLayout.ts';
import { base64Bytes } from '../../core/protocol/base64Text.ts';
import { deviceId, type DeviceId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import { withFileLock } from '../../platform/node/files/fileLock.ts';
import { readOwnerFile, writeOwnerFile } from '../../platform/node/files/ownerFile.ts';

/** Revocations that wait for their relay; the oldest are forgotten beyond it. */
const unsettledBound = 256;

const pairedDevice = z.object({
  device_id: deviceId,
  name: z.string().check(z.maxLength(limits.nameChars)),
  role: z.enum(['owner', 'co_driver', 'viewer']),
  /** X25519 public key, by which a handshake finds the device. */
  S_d: base64Bytes(32),
  /** P-256 public key, by which the relay knows it. */
  K_d: base64Bytes(65),
  session_psk: base64Bytes(32),
  paired_at: z.number(),
});
/** A phone that was paired at this desk. */
export type PairedDevice = z.infer<typeof pairedDevice>;

const deviceFile = z.object({
  v: z.literal(1),
  /** Only grows: says which of two copies is newer. */
  epoch: z.int().check(z.gte(0)),
  devices: z.array(pairedDevice).check(z.maxLength(limits.devices)),
  /** Revoked here, and not yet at the relay. */
  unsettled: z.optional(z.array(deviceId).check(z.maxLength(unsettledBound))),
});
type DeviceFile = z.infer<typeof deviceFile>;

/**
 * The phones that this machine trusts: those paired at the desk, whatever a relay's registry says. All windows share one
 * file; each asks it again at every handshake and before every mutation.
 */
export class DeviceList {
  readonly #path: string;
  #file: DeviceFile = { v: 1, epoch: 0, devices: [] };
  #version = '';

  constructor(stateDirectory: string) {
    this.#path = join(stateDirectory, 'devices.json');
  }

  /** @throws when the file is damaged */
  get all(): readonly PairedDevice[] {
    this.#reload();
    return this.#file.devices;
  }

  find(id: DeviceId): PairedDevice | undefined {
    return this.all.find(device => device.device_id === id);
  }

  /** The device with this X25519 key, 32 bytes. */
  findByKey(key: Uint8Array): PairedDevice | undefined {
    return this.all.find(device => equalBytes(base64.decode(device.S_d), key));
  }

  /** Revocations that the relay has not confirmed. */
  get unsettled(): readonly DeviceId[] {
    this.#reload();
    return this.#file.unsettled ?? [];
  }

  /** A phone that is paired again leaves its earlier entry behind. @returns false when there is no room for another */
  add(device: PairedDevice): Promise<boolean> {
    return this.#change(({ devices, unsettled = [] }) => {
      const others = devices.filter(known => known.S_d !== device.S_d);
      return others.length < limits.devices ? { devices: [...others, device], unsettled } : undefined;
    });
  }

  /** Takes the trust away at once, in every window: nothing is told to this device and nothing taken from it again. */
  remove(id: DeviceId): Promise<boolean> {
    return this.#change(({ devices, unsettled = [] }) => ({
      devices: devices.filter(device => device.device_id !== id),
      unsettled: [...unsettled.filter(other => other !== id), id].slice(-unsettledBound),
    }));
  }

  /** The relay knows of the revocation. */
  settle(id: DeviceId): Promise<boolean> {
    return this.#change(({ devices, unsettled = [] }) => ({
      devices: [...devices],
      unsettled: unsettled.filter(other => other !== id),
    }));
  }

  #change(
    edit: (file: DeviceFile) => Pick<DeviceFile, 'devices' | 'unsettled'> | undefined,
  ): Promise<boolean> {
    return withFileLock(`${this.#path}.lock`, () => {
      this.#reload();
      const edited = edit(this.#file);
      if (edited === undefined) return false;
      const next: DeviceFile = { v: 1, epoch: this.#file.epoch + 1, ...edited };
      writeOwnerFile(this.#path, JSON.stringify(next));
      this.#reload();
      return true;
    });
  }

  #reload(): void {
    const status = statSync(this.#path, { throwIfNoEntry: false });
    const version = status === undefined ? '' : `${status.ino}:${status.mtimeMs}:${status.size}`;
    if (version === this.#version) return;
    const text =
      readOwnerFile(this.#path) ?? JSON.stringify({ v: 1, epoch: this.#file.epoch + 1, devices: [] });
    const parsed = deviceFile.safeParse(jsonValue(text));
    if (!parsed.success) throw new Error(`${this.#path} is damaged.`);
    this.#file = parsed.data;
    this.#version = version;
  }
}
