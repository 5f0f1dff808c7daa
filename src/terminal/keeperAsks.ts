import { Emitter } from '../../core/base/emitter.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import type { HeldAsks } from '../adapters/heldAsks.ts';
import { decodeAsked, maxAnswerBytes, unasked } from '../keeper/askMessage.ts';
import { keeperFrameType, type KeeperFrame } from '../keeper/keeperFrame.ts';

/** A keeper's asks, as a bridge sees them. An older keeper has none. */
export class KeeperAsks implements HeldAsks {
  readonly #send: (type: number, body: string) => void;
  readonly #open = new Map<string, string>();
  readonly #changed = new Emitter<void>();
  readonly open: ReadonlyMap<string, string> = this.#open;
  readonly onDidChange = this.#changed.event;

  constructor(send: (type: number, body: string) => void) {
    this.#send = send;
  }

  answer(id: string, output: string | undefined): void {
    if (!this.#open.delete(id)) return;
    const said = output !== undefined && Buffer.byteLength(output) <= maxAnswerBytes ? { output } : {};
    this.#send(keeperFrameType.answer, JSON.stringify({ id, ...said }));
    this.#changed.fire();
  }

  onFrame(frame: KeeperFrame): void {
    if (frame.type === keeperFrameType.asked) {
      const asked = decodeAsked(frame.body);
      if (asked === undefined) return;
      this.#open.set(asked.id, asked.text);
    } else if (frame.type === keeperFrameType.unasked) {
      const gone = unasked.safeParse(jsonValue(frame.body.toString('utf8')));
      if (!gone.success || !this.#open.delete(gone.data.id)) return;
    } else return;
    this.#changed.fire();
  }

  /** The connection is gone: whether anything waits, nobody here knows. */
  close(): void {
    this.#open.clear();
    this.#changed.fire();
  }
}
