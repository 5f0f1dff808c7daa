import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { BridgeId } from '../../core/protocol/ids.ts';
import type { DeviceKeys, PairingRecord } from './pairingRecord.ts';

interface Schema extends DBSchema {
  pairings: { key: string; value: PairingRecord };
  /** Keys on trial before a pairing: written, read back and tried. */
  trial: { key: string; value: DeviceKeys };
}

const trialKey = 'keys';

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

  /** Stores keys and reads them back, as a later start of the app will. */
  async roundTrip(keys: DeviceKeys): Promise<DeviceKeys | undefined> {
    await this.#database.put('trial', keys, trialKey);
    const stored = await this.#database.get('trial', trialKey);
    await this.#database.delete('trial', trialKey);
    return stored;
  }
}
