import { statSync } from 'node:fs';
import { join } from 'node:path';
import { base64 } from '@scure/base';
import * as z from 'zod/mini';
import type { Clock } from '../../core/base/clock.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { deviceId, type DeviceId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import { withFileLock } from '../../platform/node/files/fileLock.ts';
import { readOwnerFile, writeOwnerFile } from '../../platform/node/files/ownerFile.ts';
import {
  forgetReplacedKey,
  isHeldBy,
  isKeyOf,
  rotateKey,
  type KeyRotation,
  type RotationRefusal,
} from './keyRotation.ts';
import { pairedDevice, type PairedDevice } from './pairedDevice.ts';

/** Revocations that wait for their relay; the oldest are forgotten beyond it. */
const unsettledBound = 256;

const deviceFile = z.object({
  v: z.literal(1),
  /** Only grows: says which of two copies is newer. */
  epoch: z.int().check(z.gte(0)),
  devices: z.array(pairedDevice).check(z.maxLength(limits.devices)),
  /** Revoked here, and not yet at the relay. */
  unsettled: z.optional(z.array(deviceId).check(z.maxLength(unsettledBound))),
});
type DeviceFile = z.infer<typeof deviceFile>;
type Edited = Pick<DeviceFile, 'devices' | 'unsettled'>;

/**
 * The phones that this machine trusts: those paired at the desk, whatever a relay's registry says. All windows share one
 * file; each asks it again at every handshake and before every mutation.
 */
export class DeviceList {
  readonly #path: string;
  readonly #clock: Pick<Clock, 'now'>;
  #file: DeviceFile = { v: 1, epoch: 0, devices: [] };
  #version = '';

  constructor(stateDirectory: string, clock: Pick<Clock, 'now'>) {
    this.#path = join(stateDirectory, 'devices.json');
    this.#clock = clock;
  }

  /** @throws when the file is damaged */
  get all(): readonly PairedDevice[] {
    this.#reload();
    return this.#file.devices;
  }

  find(id: DeviceId): PairedDevice | undefined {
    return this.all.find(device => device.device_id === id);
  }

  /** The device whose handshakes this X25519 key of 32 bytes opens now. */
  findByKey(key: Uint8Array): PairedDevice | undefined {
    const now = this.#clock.now();
    return this.all.find(device => isKeyOf(device, key, now));
  }

  /** Revocations that the relay has not confirmed. */
  get unsettled(): readonly DeviceId[] {
    this.#reload();
    return this.#file.unsettled ?? [];
  }

  /** A phone that is paired again leaves its earlier entry behind. @returns false when there is no room for another */
  async add(device: PairedDevice): Promise<boolean> {
    const key = base64.decode(device.S_d);
    const added = await this.#change(({ devices, unsettled = [] }) => {
      const others = devices.filter(known => !isHeldBy(known, key));
      return others.length < limits.devices
        ? ok({ devices: [...others, device], unsettled })
        : fail('no_room');
    });
    return added.ok;
  }

  /** Takes the trust away at once, in every window: nothing is told to this device and nothing taken from it again. */
  async remove(id: DeviceId): Promise<void> {
    await this.#change(({ devices, unsettled = [] }) =>
      ok({
        devices: devices.filter(device => device.device_id !== id),
        unsettled: [...unsettled.filter(other => other !== id), id].slice(-unsettledBound),
      }),
    );
  }

  /** The relay knows of the revocation. */
  async settle(id: DeviceId): Promise<void> {
    await this.#change(({ devices, unsettled = [] }) =>
      ok({ devices, unsettled: unsettled.filter(other => other !== id) }),
    );
  }

  /**
   * A phone's next key counts from now on, in every window and after a restart. Settles once that is on the disk: only
   * then may the phone be told.
   */
  rotateKey(rotation: KeyRotation): Promise<Result<void, RotationRefusal>> {
    return this.#change(file => {
      const devices = rotateKey(file.devices, rotation, this.#clock.now());
      return devices.ok ? ok({ ...file, devices: devices.value }) : devices;
    });
  }

  /**
   * The phone has opened a channel with its newest key, so the one before it is over. Not before: the answer to a rotation
   * can get lost, and a phone that does not know of it comes back with the old key. Nor later: a phone keeps a key before
   * it names it, so one that has used the new key cannot need the old one again.
   */
  async forgetReplacedKey(id: DeviceId, proven: Uint8Array): Promise<void> {
    await this.#change(file => ok({ ...file, devices: forgetReplacedKey(file.devices, id, proven) }));
  }

  #change<Code extends string>(
    edit: (file: DeviceFile) => Result<Edited, Code>,
  ): Promise<Result<void, Code>> {
    return withFileLock(`${this.#path}.lock`, () => {
      this.#reload();
      const edited = edit(this.#file);
      if (!edited.ok) return edited;
      const { devices, unsettled } = edited.value;
      // What is the same already costs no write, however often it is asked for.
      if (devices === this.#file.devices && unsettled === this.#file.unsettled) return ok(undefined);
      const next: DeviceFile = { v: 1, epoch: this.#file.epoch + 1, devices, unsettled };
      writeOwnerFile(this.#path, JSON.stringify(next));
      this.#reload();
      return ok(undefined);
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
