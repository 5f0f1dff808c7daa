import type { PairingRecord } from './pairingRecord.ts';
import type { PairingShelf } from './pairingStore.ts';

/** One machine's record, as this page goes on with it and as the browser stores it. */
export class KeptPairing {
  readonly #store: Pick<PairingShelf, 'change'> | undefined;
  #record: PairingRecord;

  /** @param store undefined where the browser keeps nothing: the record then lives as long as the page */
  constructor(record: PairingRecord, store: Pick<PairingShelf, 'change'> | undefined) {
    this.#record = record;
    this.#store = store;
  }

  /** As it was last read or changed here. */
  get record(): PairingRecord {
    return this.#record;
  }

  /**
   * Changes what is stored, not what this page once read of it: another tab may have changed it since.
   *
   * @param edit done to both, so twice; gives the same record when there is nothing to change
   * @returns the record as it is stored now; undefined when the machine was forgotten or paired anew, and nothing was changed
   * @throws when the browser cannot store it; this page then goes on with the change alone
   */
  async change(edit: (record: PairingRecord) => PairingRecord): Promise<PairingRecord | undefined> {
    this.#record = edit(this.#record);
    if (this.#store === undefined) return this.#record;
    const { bridgeId, deviceId } = this.#record;
    const stored = await this.#store.change(bridgeId, found =>
      found.deviceId === deviceId ? edit(found) : undefined,
    );
    if (stored !== undefined) this.#record = stored;
    return stored;
  }

  /** Reads what is stored now. @returns undefined when the machine was forgotten or paired anew */
  refresh(): Promise<PairingRecord | undefined> {
    return this.change(record => record);
  }
}
