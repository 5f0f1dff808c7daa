import { Emitter } from '../../core/base/emitter.ts';
import type { HeldAsks } from '../../src/adapters/heldAsks.ts';

/** What hooks ask, as a test says; and what they were told to say. */
export class FakeAsks implements HeldAsks {
  readonly #changed = new Emitter<void>();
  readonly open = new Map<string, string>();
  readonly onDidChange = this.#changed.event;
  /** By the id of the ask; undefined for one that was to say nothing. */
  readonly said = new Map<string, string | undefined>();

  ask(id: string, payload: unknown): void {
    this.open.set(id, JSON.stringify(payload));
    this.#changed.fire();
  }

  /** The hook's process is gone. */
  leave(id: string): void {
    this.open.delete(id);
    this.#changed.fire();
  }

  answer(id: string, output: string | undefined): void {
    if (!this.open.delete(id)) return;
    this.said.set(id, output);
    this.#changed.fire();
  }
}
