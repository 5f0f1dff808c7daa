import { block as blockSchema, type Block } from '../../core/protocol/block/block.ts';
import { contentDigest } from './contentDigest.ts';

/** More than any agent leaves open at once. */
const bound = 4_096;

/** The newest blocks of a journal by their content, without the time: tells whether a block was written before. */
export class RecentForms {
  readonly #forms: Set<string>;

  /** @param forms oldest first */
  constructor(forms: Iterable<string> = []) {
    this.#forms = new Set(forms);
  }

  /** Oldest first. */
  get forms(): readonly string[] {
    return [...this.#forms];
  }

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

/**
 * Parsed, so that the order of fields is the schema's, however the block was made, and by its digest, so that a long one takes
 * no more room; undefined for what is no block.
 */
function formOf(block: Block): string | undefined {
  const parsed = blockSchema.safeParse({ ...block, ts: 0, ...untold(block) });
  return parsed.success ? contentDigest(JSON.stringify(parsed.data)) : undefined;
}

/** What of a request is found here, and may be found otherwise later: the agent did not say it. */
function untold(block: Block): Partial<Block> {
  return block.type === 'permission_request' ? { risk: 'high', expires_at: undefined } : {};
}
