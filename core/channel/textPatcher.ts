import type { TextPatch } from '../protocol/textPatch.ts';

/** A growing text as an adapter hands it over: always whole (requirement T26). */
export interface GrowingForm {
  readonly id: TextPatch['id'];
  readonly type: TextPatch['type'];
  readonly ts: number;
  readonly turn_id?: TextPatch['turn_id'];
  readonly text: string;
  readonly done: boolean;
}

/** What a reader has of the texts that grow; each reader has its own. */
export class TextPatcher {
  readonly #told = new Map<TextPatch['id'], { readonly rev: number; readonly text: string }>();
  readonly #digest: (text: string) => string;

  /** @param digest SHA-256 of a text's UTF-8, in lower-case hex */
  constructor(digest: (text: string) => string) {
    this.#digest = digest;
  }

  /** The reader has a revision of this text. */
  knows(id: TextPatch['id']): boolean {
    return this.#told.has(id);
  }

  /** What was told last did not arrive. */
  forget(id: TextPatch['id']): void {
    this.#told.delete(id);
  }

  /** What to tell the reader so that it has `form`. The last revision carries the digest, and is forgotten. */
  next(form: GrowingForm): TextPatch {
    const before = this.#told.get(form.id);
    const rev = before === undefined ? 0 : before.rev + 1;
    const at = commonLength(before?.text ?? '', form.text);
    if (form.done) this.#told.delete(form.id);
    else this.#told.set(form.id, { rev, text: form.text });
    return {
      id: form.id,
      type: form.type,
      ts: form.ts,
      ...(form.turn_id === undefined ? {} : { turn_id: form.turn_id }),
      rev,
      at,
      ins: form.text.slice(at),
      full_len: form.text.length,
      ...(form.done ? { digest: this.#digest(form.text) } : {}),
      done: form.done,
    };
  }
}

/** Length of what two texts begin with alike, in UTF-16 units; never in the middle of a surrogate pair. */
export function commonLength(a: string, b: string): number {
  if (b.startsWith(a)) return endsInPair(a, b) ? a.length - 1 : a.length;
  let low = 0;
  const end = Math.min(a.length, b.length);
  while (low < end && a.charCodeAt(low) === b.charCodeAt(low)) low += 1;
  return isHigh(b.charCodeAt(low - 1)) && low < b.length ? low - 1 : low;
}

/** Whether `a` ends with the first half of a pair that `b` completes. */
function endsInPair(a: string, b: string): boolean {
  return a.length > 0 && a.length < b.length && isHigh(a.charCodeAt(a.length - 1));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
