import type { BridgeId } from '../../core/protocol/ids.ts';
import type { DeviceKeys, PairingRecord } from '../../phone/storage/pairingRecord.ts';
import type { PairingShelf } from '../../phone/storage/pairingStore.ts';

const never = new Promise<never>(() => undefined);

/** A browser's storage, which outlives the pages that use it. What is stored is a copy, as in IndexedDB. */
export class MemoryPairings implements PairingShelf {
  readonly #pairings = new Map<string, PairingRecord>();
  readonly #trial = new Map<string, DeviceKeys>();
  /** What a write meets from now on: it is done, it fails, or the page ends before it is done. */
  writes: 'done' | 'failed' | 'lost' = 'done';
  /** How many were lost. */
  lost = 0;

  all(): Promise<PairingRecord[]> {
    return Promise.resolve([...this.#pairings.values()].map(record => structuredClone(record)));
  }

  async save(record: PairingRecord): Promise<void> {
    await this.#write(() => this.#pairings.set(record.bridgeId, structuredClone(record)));
  }

  async change(
    bridge: BridgeId,
    edit: (stored: PairingRecord) => PairingRecord | undefined,
  ): Promise<PairingRecord | undefined> {
    const stored = this.#pairings.get(bridge);
    const edited = stored === undefined ? undefined : edit(stored);
    if (edited !== undefined && edited !== stored)
      await this.#write(() => this.#pairings.set(bridge, structuredClone(edited)));
    return edited === undefined ? undefined : structuredClone(this.#pairings.get(bridge));
  }

  remove(bridge: BridgeId): Promise<void> {
    this.#pairings.delete(bridge);
    return Promise.resolve();
  }

  async roundTrip(keys: DeviceKeys, trial = 'keys'): Promise<DeviceKeys | undefined> {
    this.#trial.set(trial, structuredClone(keys));
    await new Promise(resolve => setImmediate(resolve));
    const stored = structuredClone(this.#trial.get(trial));
    await new Promise(resolve => setImmediate(resolve));
    this.#trial.delete(trial);
    return stored;
  }

  /** What is stored for the only machine. */
  get only(): PairingRecord {
    const [record] = this.#pairings.values();
    if (record === undefined) throw new Error('no pairing is stored');
    return record;
  }

  async #write(write: () => void): Promise<void> {
    if (this.writes === 'lost') {
      this.lost += 1;
      await never;
    }
    if (this.writes === 'failed') throw new Error('the browser stores nothing now');
    write();
  }
}
