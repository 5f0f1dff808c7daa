import type { RunningAgent } from '../../adapters/agent.ts';

/** For whom answers are. */
export interface AskingAgent {
  /** The one that runs now. */
  readonly agent: () => RunningAgent | undefined;
  /** It was told to stop or to end, also when that could not be written yet: nothing is allowed any more. */
  readonly isGoing: () => boolean;
}
