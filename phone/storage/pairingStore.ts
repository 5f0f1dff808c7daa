import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { BridgeId } from '../../core/protocol/ids.ts';
import type { DeviceKeys, PairingRecord } from './pairingRecord.ts';

interface Schema extends DBSchema {
  pairings: { key: string; value: PairingRecord };
  /** Keys on trial before a pairing: written, read back and tried. */
  trial: { key: string; value: DeviceKeys };
}

const pairingTrial = 'keys';

/** What the app needs of a store. */
export type PairingShelf = Pick<PairingStore, 'all' | 'save' | 'change' | 'remove' | 'roundTrip'>;

/** The machines that this phone is paired with, and its keys for them. */
export class PairingStore {
  readonly #database: IDBPDatabase<Schema>;

  private constructor(database: IDBPDatabase<Schema>) {
    this.#database = database;
  }

  /** @returns undefined where the browser refuses storage; a pairing then lives as long as the page */
  static async open(): Promise<PairingStore | undefined> {
    try {
      const database = await openDB<Schema>('terminull', 1, {
        upgrade(created) {
          created.createObjectStore('pairings', { keyPath: 'bridgeId' });
          created.createObjectStore('trial');
        },
      });
      return new PairingStore(database);
    } catch {
      return undefined;
    }
  }

  all(): Promise<PairingRecord[]> {
    return this.#database.getAll('pairings');
  }

  async save(record: PairingRecord): Promise<void> {
    await this.#database.put('pairings', record);
  }

  async remove(bridge: BridgeId): Promise<void> {
    await this.#database.delete('pairings', bridge);
  }

  /**
   * Edits what is stored, in one step: another tab has the same record. It settles once that is on the disk.
   *
   * @param edit gives the record itself when there is nothing to write
   * @returns the record as a later start of the app reads it; undefined when it is not there, or `edit` gave none
   */
  async change(
    bridge: BridgeId,
    edit: (stored: PairingRecord) => PairingRecord | undefined,
  ): Promise<PairingRecord | undefined> {
    const transaction = this.#database.transaction('pairings', 'readwrite', { durability: 'strict' });
    const stored = await transaction.store.get(bridge);
    const edited = stored === undefined ? undefined : edit(stored);
    if (edited !== undefined && edited !== stored) await transaction.store.put(edited);
    await transaction.done;
    return edited === undefined ? undefined : this.#database.get('pairings', bridge);
  }

  /**
   * Stores keys and reads them back, as a later start of the app will.
   *
   * @param trial where: trials at the same time are in different places
   */
  async roundTrip(keys: DeviceKeys, trial = pairingTrial): Promise<DeviceKeys | undefined> {
    await this.#database.put('trial', keys, trial);
    const stored = await this.#database.get('trial', trial);
    await this.#database.delete('trial', trial);
    return stored;
  }
}
