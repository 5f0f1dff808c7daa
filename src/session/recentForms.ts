import { block as blockSchema, type Block } from '../../core/protocol/block/block.ts';

/** More than any agent leaves open at once. */
const bound = 4_096;

/** The newest blocks of a journal by their content, without the time: tells whether a block was written before. */
export class RecentForms {
  readonly #forms = new Set<string>();

  add(block: Block): void {
    this.#forms.add(formOf(block));
    if (this.#forms.size <= bound) return;
    const oldest = this.#forms.keys().next();
    if (oldest.done !== true) this.#forms.delete(oldest.value);
  }

  has(block: Block): boolean {
    return this.#forms.has(formOf(block));
  }
}

/** Parsed, so that the order of fields is the schema's, however the block was made. */
function formOf(block: Block): string {
  return JSON.stringify(blockSchema.parse({ ...block, ts: 0 }));
}
