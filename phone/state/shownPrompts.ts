import type { Conversation } from './conversation.ts';

/** Client message ids of the prompts that the machine's own record has, whatever became of them. */
export function shownPrompts({ entries }: Conversation): ReadonlySet<string> {
  return new Set(
    [...entries.values()].flatMap(entry => (entry.type === 'user_echo' ? [entry.client_msg_id] : [])),
  );
}
