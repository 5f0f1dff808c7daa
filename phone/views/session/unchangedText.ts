import type { Refusal } from '../../state/phoneSession.ts';

/** Why a prompt that waits stands as it was; undefined when its own state says what became of it. */
export function unchangedText(refused: Refusal | undefined): string | undefined {
  if (refused === undefined || refused === 'stale_turn') return undefined;
  return 'Not changed yet: the machine did not answer. Try again.';
}
