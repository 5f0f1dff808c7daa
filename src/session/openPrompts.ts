import type { TurnId } from '../../core/protocol/ids.ts';
import { queuedPromptOf, type QueuedPrompt } from './promptQueue.ts';
import type { SessionState } from './sessionState.ts';

/** What a journal leaves to be done: the turn under way, the prompt on its way to the agent, and those that wait. */
export function openPrompts({ prompts, turn }: SessionState): {
  readonly turn: TurnId | undefined;
  readonly offered: QueuedPrompt | undefined;
  readonly waiting: readonly QueuedPrompt[];
} {
  const queued = [...prompts.values()].filter(prompt => prompt.state === 'queued');
  const offered = queued.find(prompt => turn !== undefined && prompt.turn_id === turn);
  const waiting = queued.filter(prompt => prompt.turn_id === undefined).map(queuedPromptOf);
  return { turn, offered: offered && queuedPromptOf(offered), waiting };
}
