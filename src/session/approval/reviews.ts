import type { Disposable } from '../../../core/base/disposable.ts';
import type { BlockId } from '../../../core/protocol/ids.ts';

/** Which reviews are waited for: at most one for each request. */
export class Reviews implements Disposable {
  readonly #waiting = new Map<BlockId, AbortController>();

  /** @returns aborts once nobody waits for this review any more */
  begin(id: BlockId): AbortController {
    this.end(id);
    const controller = new AbortController();
    this.#waiting.set(id, controller);
    return controller;
  }

  /** Its request was settled, however. */
  end(id: BlockId): void {
    this.#waiting.get(id)?.abort();
    this.#waiting.delete(id);
  }

  endAll(): void {
    for (const id of [...this.#waiting.keys()]) this.end(id);
  }

  dispose(): void {
    this.endAll();
  }
}
