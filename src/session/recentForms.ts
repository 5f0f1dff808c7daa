import { block as blockSchema, type Block } from '../../core/protocol/block/block.ts';

/** More than any agent leaves open at once. */
const bound = 4_096;

/** The newest blocks of a journal by their content, without the time: tells whether a block was written before. */
export class RecentForms {
  readonly #forms = new Set<string>();

  add(block: Block): void {
    const form = formOf(block);
    if (form !== undefined) this.#forms.add(form);
    if (this.#forms.size <= bound) return;
    const oldest = this.#forms.keys().next();
    if (oldest.done !== true) this.#forms.delete(oldest.value);
  }

  has(block: Block): boolean {
    const form = formOf(block);
    return form !== undefined && this.#forms.has(form);
  }
}

/** Parsed, so that the order of fields is the schema's, however the block was made; undefined for what is no block. */
function formOf(block: Block): string | undefined {
  const parsed = blockSchema.safeParse({ ...block, ts: 0 });
  return parsed.success ? JSON.stringify(parsed.data) : undefined;
}
