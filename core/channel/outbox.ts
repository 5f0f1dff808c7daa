import { unreachable } from '../base/unreachable.ts';
import type { ErrorCode } from '../protocol/errorCode.ts';

/** A prompt that its receiver has not confirmed yet. */
export interface OutgoingPrompt {
  readonly clientMsgId: string;
  readonly text: string;
  readonly state: 'sending' | 'failed';
  /** Why it was refused. */
  readonly code?: ErrorCode;
}

export type OutboxAction =
  | { readonly type: 'add'; readonly clientMsgId: string; readonly text: string }
  | { readonly type: 'refused'; readonly clientMsgId: string; readonly code: ErrorCode }
  | { readonly type: 'retry'; readonly clientMsgId: string }
  | { readonly type: 'discard'; readonly clientMsgId: string }
  /** The receiver's own record shows these. */
  | { readonly type: 'confirmed'; readonly shown: ReadonlySet<string> };

/** Prompts that may wait at a time; more are not taken. */
export const outboxBound = 32;

/**
 * Prompts wait here until their receiver's record shows them. `sending` covers what nobody has answered yet, also over a broken
 * connection: its id makes sending it again harmless. Nothing else is ever sent again by itself.
 */
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
      const { shown } = action;
      return prompts.some(prompt => shown.has(prompt.clientMsgId))
        ? prompts.filter(prompt => !shown.has(prompt.clientMsgId))
        : prompts;
    }
  }
  return unreachable(action);
}
