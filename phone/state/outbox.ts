import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { Conversation } from './conversation.ts';

/** A prompt of this phone that the machine has not confirmed yet. */
export interface OutgoingPrompt {
  readonly clientMsgId: string;
  readonly text: string;
  readonly state: 'sending' | 'failed';
  /** Why the machine refused it. */
  readonly code?: ErrorCode;
}

export type OutboxAction =
  | { readonly type: 'add'; readonly clientMsgId: string; readonly text: string }
  | { readonly type: 'refused'; readonly clientMsgId: string; readonly code: ErrorCode }
  | { readonly type: 'retry'; readonly clientMsgId: string }
  | { readonly type: 'discard'; readonly clientMsgId: string }
  /** The machine's own record shows what it has. */
  | { readonly type: 'confirmed'; readonly conversation: Conversation };

/** Prompts that may wait at a time; more are not taken. */
export const outboxBound = 32;

/** Prompts wait here until the machine shows them; its id makes sending one again harmless. */
export function reduceOutbox(
  prompts: readonly OutgoingPrompt[],
  action: OutboxAction,
): readonly OutgoingPrompt[] {
  switch (action.type) {
    case 'add':
      if (prompts.length >= outboxBound) return prompts;
      return [...prompts, { clientMsgId: action.clientMsgId, text: action.text, state: 'sending' }];
    case 'refused':
      return prompts.map(prompt =>
        prompt.clientMsgId === action.clientMsgId
          ? { ...prompt, state: 'failed', code: action.code }
          : prompt,
      );
    case 'retry':
      return prompts.map(prompt =>
        prompt.clientMsgId === action.clientMsgId
          ? { clientMsgId: prompt.clientMsgId, text: prompt.text, state: 'sending' }
          : prompt,
      );
    case 'discard':
      return prompts.filter(prompt => prompt.clientMsgId !== action.clientMsgId);
    case 'confirmed': {
      const shown = new Set<string>();
      for (const entry of action.conversation.entries.values()) {
        if (entry.type === 'user_echo') shown.add(entry.client_msg_id);
      }
      return prompts.some(prompt => shown.has(prompt.clientMsgId))
        ? prompts.filter(prompt => !shown.has(prompt.clientMsgId))
        : prompts;
    }
  }
}
