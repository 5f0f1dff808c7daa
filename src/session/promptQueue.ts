import type { UserEchoBlock } from '../../core/protocol/block/textBlocks.ts';
import type { DeviceId } from '../../core/protocol/ids.ts';
import type { SessionState } from './sessionState.ts';

/** An accepted prompt. */
export interface QueuedPrompt {
  readonly text: string;
  readonly clientMsgId: string;
  readonly deviceId: DeviceId | undefined;
}

/** The prompt that a journal tells of. */
export function queuedPromptOf(echo: UserEchoBlock): QueuedPrompt {
  return { text: echo.text, clientMsgId: echo.client_msg_id, deviceId: echo.device_id };
}

/** Whether a prompt has been accepted and not been given to the agent: it can still be changed. */
export function isWaiting({ state, turn_id }: UserEchoBlock): boolean {
  return turn_id === undefined && (state === 'queued' || state === 'steered' || state === 'held');
}

/**
 * Prompts that wait, in the order in which they go. The journal alone says so: a restart finds the same ones in the same
 * order, and nothing beside it can disagree.
 */
export function waitingPrompts({ prompts }: Pick<SessionState, 'prompts'>): readonly UserEchoBlock[] {
  const waiting = prompts.waiting.filter(isWaiting);
  // What was to go first before something held it goes after what is to go first now.
  const rank = ({ state, client_msg_id }: UserEchoBlock): number =>
    state === 'steered' ? 0 : prompts.urgent.has(client_msg_id) ? 1 : 2;
  return waiting.sort((a, b) => rank(a) - rank(b));
}

/** The prompt that goes next; undefined when none waits, or when what waits is held. */
export function nextPrompt(state: Pick<SessionState, 'prompts'>): UserEchoBlock | undefined {
  return waitingPrompts(state).find(prompt => prompt.state !== 'held');
}

/** The prompt that the agent has been given and has not been seen to take. */
export function offeredPrompt({
  prompts,
  turn,
}: Pick<SessionState, 'prompts' | 'turn'>): UserEchoBlock | undefined {
  if (turn === undefined) return undefined;
  return prompts.waiting.find(({ turn_id }) => turn_id === turn);
}
