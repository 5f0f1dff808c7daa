/** What the agent may do without asking, in words. */
export function modeText(mode: string | undefined): string {
  switch (mode) {
    case undefined:
    case 'ask':
      return 'Asks, except for what is proven to only read here';
    case 'approve_for_me':
      return 'A reviewer answers first; what it cannot decide is asked';
    case 'full_access':
      return 'Full access: nothing is asked';
    default:
      return `Set at the desk: ${mode}`;
  }
}

/** Whether the desk let the agent do more without asking than it may at first. */
export function isWider(mode: string | undefined): boolean {
  return mode !== undefined && mode !== 'ask';
}
