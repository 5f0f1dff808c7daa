/**
 * How freely the agent of a session acts. `ask`: what is proven harmless runs, all else asks. `approve_for_me`: the rest goes
 * to a reviewer first. `full_access`: nothing asks, except a question.
 */
export type SessionMode = (typeof sessionModes)[number];

/** From the strictest on. */
export const sessionModes = ['ask', 'approve_for_me', 'full_access'] as const;

/** @returns undefined for a mode that this version does not know */
export function parseMode(value: string): SessionMode | undefined {
  return sessionModes.find(mode => mode === value);
}

/** Whether `next` lets more run than `present`. */
export function isWider(next: SessionMode, present: SessionMode): boolean {
  return sessionModes.indexOf(next) > sessionModes.indexOf(present);
}
