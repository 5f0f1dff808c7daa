import type { BlockId, DeviceId } from '../../../core/protocol/ids.ts';
import type { InputPiece } from './longInput.ts';

/** How far each phone has read the long arguments of the requests that wait. */
export class InputReads {
  /** By request, then by phone: bytes that were read without a gap from the beginning, of all. */
  readonly #reads = new Map<BlockId, Map<DeviceId, { readonly read: number; readonly total: number }>>();

  /** Counts a piece that was handed out; one after a gap counts once what is before it was read. */
  note(id: BlockId, device: DeviceId, { offset, bytes, totalBytes }: InputPiece): void {
    const devices = this.#reads.get(id) ?? new Map<DeviceId, { read: number; total: number }>();
    this.#reads.set(id, devices);
    const read = devices.get(device)?.read ?? 0;
    if (offset <= read)
      devices.set(device, { read: Math.max(read, offset + bytes.length), total: totalBytes });
  }

  hasAll(id: BlockId, device: DeviceId | undefined): boolean {
    const seen = device === undefined ? undefined : this.#reads.get(id)?.get(device);
    return seen !== undefined && seen.read >= seen.total;
  }

  /** Forgets those that do not wait any more. */
  retain(isWaiting: (id: BlockId) => boolean): void {
    for (const id of [...this.#reads.keys()]) if (!isWaiting(id)) this.#reads.delete(id);
  }
}
