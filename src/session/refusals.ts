import type { Block } from '../../core/protocol/block/block.ts';
import type { ErrorBlock } from '../../core/protocol/block/sessionBlocks.ts';

/** The service wants a pause; the next prompt would be refused as well (requirement C44). */
const waits: ReadonlySet<ErrorBlock['code']> = new Set(['rate_limited', 'overloaded']);
/** Every further prompt would fail until a person has done something (requirements C42, C45). */
const holds: ReadonlySet<ErrorBlock['code']> = new Set([
  'not_logged_in',
  'bad_credentials',
  'context_overflow',
]);
/** So many turns in a row that were refused for now: a limit that lasts would take every prompt that waits. */
const heldAfter = 2;

/** What turns were refused, and what that means for what waits. Derived from the journal, so that a restart finds the same. */
export interface Refusals {
  /** What the running turn fails of. */
  readonly trouble: { readonly code: ErrorBlock['code']; readonly until: number } | undefined;
  /** Turns in a row that were refused for now. */
  readonly count: number;
  /** Nothing goes by itself before; Unix milliseconds, 0 when nothing is waited for. */
  readonly pausedUntil: number;
  /** Nothing goes by itself before a person says so. */
  readonly isHeld: boolean;
}

export const noRefusals: Refusals = { trouble: undefined, count: 0, pausedUntil: 0, isHeld: false };

/** Whether the service refused for now, and may not the next time. */
export function isForNow({ code, recoverable }: Pick<ErrorBlock, 'code' | 'recoverable'>): boolean {
  return recoverable !== true && waits.has(code);
}

/** The next turn that is refused for now would be one too many. */
export function isLastTry({ count }: Pick<Refusals, 'count'>): boolean {
  return count + 1 >= heldAfter;
}

/** @param isNew the block is a prompt that was not there before */
export function reduceRefusals(refusals: Refusals, block: Block, isNew: boolean): Refusals {
  if (block.type === 'session_end') return turnEnded(refusals, block.reason);
  if (block.type === 'user_echo') {
    const begins = block.turn_id !== undefined;
    // A person goes on: with a new prompt, or with one that waits.
    const isWanted = isNew || block.state === 'steered';
    return begins || isWanted ? { ...refusals, pausedUntil: 0, isHeld: false } : refusals;
  }
  if (block.type !== 'error' || block.turn_id === undefined) return refusals;
  // What comes of a crash is another matter.
  if (block.code === 'agent_crashed') return { ...refusals, trouble: undefined };
  // One that the agent tries again by itself, in the same turn, is none yet.
  if (block.recoverable === true) return refusals;
  const until = Math.round(block.ts * 1_000) + (block.retry_in_ms ?? 0);
  return { ...refusals, trouble: { code: block.code, until } };
}

function turnEnded(
  { trouble, count }: Refusals,
  reason: Extract<Block, { type: 'session_end' }>['reason'],
): Refusals {
  if (reason === 'completed') return noRefusals;
  if (trouble === undefined || reason === 'stopped') return { ...noRefusals, count };
  if (holds.has(trouble.code)) return { ...noRefusals, count, isHeld: true };
  if (!waits.has(trouble.code)) return { ...noRefusals, count };
  const isHeld = isLastTry({ count });
  return { ...noRefusals, count: count + 1, isHeld, pausedUntil: isHeld ? 0 : trouble.until };
}
