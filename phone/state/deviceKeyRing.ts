import { bytesToHex } from '@noble/hashes/utils.js';
import type { Clock } from '../../core/base/clock.ts';
import type { DhKey } from '../../core/crypto/cryptoPort.ts';
import { equalBytes } from '../../core/crypto/byteLayout.ts';
import { unwrapDeviceKey, type StoredDeviceKey } from '../../platform/web/deviceKey.ts';
import type { KeptPairing } from '../storage/keptPairing.ts';

/**
 * The keys by which one machine may know this phone: the present one, and the next one from before it is named until the
 * machine is known to have it.
 */
export class DeviceKeyRing {
  readonly #platform: Crypto;
  readonly #clock: Clock;
  readonly #kept: KeptPairing;
  /** By public key: the same one is the same object, so that a refused one is recognised. Only keys of the record are here. */
  readonly #unwrapped = new Map<string, Promise<DhKey | undefined>>();

  constructor(platform: Crypto, clock: Clock, kept: KeptPairing) {
    this.#platform = platform;
    this.#clock = clock;
    this.#kept = kept;
  }

  /**
   * The key to come with: the present one, and the next one where the machine does not know that any more. Until the
   * machine has taken the next one, it is tried only then.
   *
   * @param refused those that the machine did not know just now
   * @returns undefined when there is no other
   */
  async choose(refused: ReadonlySet<DhKey>): Promise<DhKey | undefined> {
    // Another tab may have got further with these keys.
    if (refused.size > 0) await this.#kept.refresh().catch(() => undefined);
    const { keys, nextKey } = this.#kept.record;
    for (const stored of nextKey === undefined ? [keys.dhKey] : [keys.dhKey, nextKey]) {
      const key = await this.#unwrap(stored);
      if (key !== undefined && !refused.has(key)) return key;
    }
    return undefined;
  }

  /** The machine is known to have this next key, so it is the key from now on, and the one of before is erased. */
  async become(next: StoredDeviceKey): Promise<void> {
    const { dhKey: before } = this.#kept.record.keys;
    await this.#kept.change(record =>
      record.nextKey !== undefined && equalBytes(record.nextKey.publicKey, next.publicKey)
        ? {
            ...record,
            keys: { ...record.keys, dhKey: record.nextKey },
            keySince: this.#clock.now(),
            nextKey: undefined,
          }
        : record,
    );
    const { dhKey: now } = this.#kept.record.keys;
    if (!equalBytes(now.publicKey, before.publicKey)) this.#unwrapped.delete(bytesToHex(before.publicKey));
  }

  #unwrap(stored: StoredDeviceKey): Promise<DhKey | undefined> {
    const name = bytesToHex(stored.publicKey);
    const known = this.#unwrapped.get(name);
    if (known !== undefined) return known;
    const unwrapped = unwrapDeviceKey(this.#platform, stored).catch(() => {
      this.#unwrapped.delete(name);
      return undefined;
    });
    this.#unwrapped.set(name, unwrapped);
    return unwrapped;
  }
}
