import { shorten } from '../../../core/base/cutText.ts';
import type { ChainRecord } from './chainRecord.ts';
import { queuedPrompt, userWords } from './userWords.ts';

/** Places of records that are remembered: the newest. Another branch may begin at any of them. */
const rememberedPlaces = 20_000;
/** Prompts of a branch that are remembered, to say where another one begins: the newest. */
const rememberedPrompts = 100;
const promptChars = 60;

interface Prompt {
  readonly step: number;
  readonly text: string;
}

/** One way that a conversation took. */
export interface Branch {
  /** The id of the record with which it begins; empty for the first one. */
  readonly id: string;
  /** Where another branch was left for it; undefined for the first one. */
  readonly from: Omit<Place, 'isSaid'> | undefined;
  /** How many things were said in it, and in those that lead to it. */
  readonly steps: number;
  readonly prompts: readonly Prompt[];
}

interface GrowingBranch extends Branch {
  steps: number;
  prompts: Prompt[];
  /** The message of the model that was said last. */
  message: string | undefined;
}

/** Where a record is: its branch, and how many things were said up to it. */
export interface Place {
  readonly branch: Branch;
  readonly step: number;
  /** Somebody says something in it. */
  readonly isSaid: boolean;
}

/**
 * The tree of a conversation. A prompt that follows something else than what was said last in its branch begins another one:
 * its user went back, or somebody else went on from there as well. Everything else goes with what it follows: calls that run
 * at once have their results beside each other, and are no branches.
 */
export class Branches {
  readonly #places = new Map<string, { readonly branch: GrowingBranch; readonly step: number }>();
  #newest: GrowingBranch = newBranch('', undefined);

  /** @param chain in the conversation's order: parents first */
  place(chain: ChainRecord): Place {
    const followed = this.#places.get(chain.follows ?? '');
    const branch = this.#branchOf(chain, followed);
    const said = saidBy(chain);
    let step = followed?.branch === branch ? followed.step : branch.steps;
    if (said !== undefined) {
      const isSame = said.message !== undefined && said.message === branch.message;
      if (!isSame) branch.steps += 1;
      step = branch.steps;
      branch.message = said.message;
      if (said.prompt !== undefined)
        branch.prompts = [...branch.prompts, { step, text: said.prompt }].slice(-rememberedPrompts);
    }
    this.#newest = branch;
    this.#remember(chain.uuid, { branch, step });
    return { branch, step, isSaid: said !== undefined };
  }

  #branchOf(
    chain: ChainRecord,
    followed: { readonly branch: GrowingBranch; readonly step: number } | undefined,
  ): GrowingBranch {
    const isPrompt = saidBy(chain)?.prompt !== undefined;
    // A first prompt again: its user went back to before all that was said.
    const isAnew = chain.parent === null && chain.follows === undefined && this.#newest.steps > 0;
    if (followed === undefined)
      return isPrompt && isAnew
        ? newBranch(chain.uuid, { branch: rootOf(this.#newest), step: 0 })
        : this.#newest;
    const { branch, step } = followed;
    return isPrompt && branch.steps > step ? newBranch(chain.uuid, { branch, step }, step) : branch;
  }

  #remember(uuid: string, place: { readonly branch: GrowingBranch; readonly step: number }): void {
    this.#places.set(uuid, place);
    const [oldest] = this.#places.keys();
    if (this.#places.size > rememberedPlaces && oldest !== undefined) this.#places.delete(oldest);
  }
}

/** The prompts of a branch that were given after a place in it. */
export function promptsAfter({ branch, step }: Omit<Place, 'isSaid'>): readonly string[] {
  return branch.prompts.filter(prompt => prompt.step > step).map(prompt => prompt.text);
}

function newBranch(id: string, from: Branch['from'], steps = 0): GrowingBranch {
  return { id, from, steps, prompts: [], message: undefined };
}

function rootOf(branch: Branch): Branch {
  let root = branch;
  while (root.from !== undefined) root = root.from.branch;
  return root;
}

/** What makes a branch longer; undefined for what only accompanies it. */
function saidBy({
  record,
}: ChainRecord): { readonly message?: string; readonly prompt?: string } | undefined {
  if (record?.type === 'assistant') return { message: record.message.id };
  if (record?.type === 'attachment') return queuedPrompt(record) === undefined ? undefined : {};
  if (record?.type !== 'user') return undefined;
  const words = userWords(record);
  if (words?.kind === 'interrupt') return {};
  if (words?.kind !== 'prompt' && words?.kind !== 'command') return undefined;
  const line = words.text.replaceAll(/\s+/gu, ' ');
  return { prompt: shorten(line, promptChars) };
}
