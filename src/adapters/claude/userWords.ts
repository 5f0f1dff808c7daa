import { limits } from '../../../core/protocol/limits.ts';
import { shorten } from '../../../core/base/cutText.ts';
import type { AttachmentRecord, UserRecord } from './claudeRecord.ts';
import { withoutPasteMarks } from './pastedText.ts';
import { resultText } from './resultText.ts';

export const interruptedText = '[Request interrupted by user';

/** What a record of the user's side says to people. */
export type UserWords =
  | { readonly kind: 'prompt'; readonly text: string }
  /** A slash command or a shell command: whether the model has anything to do is seen when it speaks. */
  | { readonly kind: 'command'; readonly text: string }
  /** What a command gave that Claude Code carried out by itself. */
  | { readonly kind: 'output' }
  | { readonly kind: 'interrupt' };

/** Begins what Claude Code tells the model in the user's name. */
const notWords =
  /^\s*(<(bash-std(out|err)|local-command-caveat|task-notification|system-reminder|user-memory-input|[a-z-]+-message)\b|Caveat: The messages below were generated)/;

/** @returns undefined for a record that no user typed */
export function userWords(record: UserRecord): UserWords | undefined {
  const { content } = record.message;
  if (typeof content !== 'string' && content.some(block => block.type === 'tool_result')) return undefined;
  if (record.isMeta === true || record.isCompactSummary === true || record.isVisibleInTranscriptOnly === true)
    return undefined;
  const text = resultText(content);
  if (text.startsWith(interruptedText)) return { kind: 'interrupt' };
  if (!isHuman(record.origin)) return undefined;
  const [, command] = /^\s*<command-(?:name|message)>[^]*?<command-name>|^\s*<command-name>/.test(text)
    ? (/<command-name>([^<]*)/.exec(text) ?? [])
    : [];
  if (command !== undefined) {
    const [, args = ''] = /<command-args>([^]*?)<\/command-args>/.exec(text) ?? [];
    return { kind: 'command', text: told(`${command} ${args}`) };
  }
  const [, shell] = /^\s*<bash-input>([^]*?)<\/bash-input>/.exec(text) ?? [];
  if (shell !== undefined) return { kind: 'command', text: told(`! ${shell}`) };
  if (/^\s*<local-command-std(out|err)>/.test(text)) return { kind: 'output' };
  return notWords.test(text) || text.trim() === '' ? undefined : { kind: 'prompt', text: told(text) };
}

/** @returns the prompt that was typed while the agent worked; undefined for every other attachment */
export function queuedPrompt({ attachment }: AttachmentRecord): string | undefined {
  const { type, prompt, commandMode = 'prompt', isMeta, origin } = attachment;
  if (type !== 'queued_command' || commandMode !== 'prompt' || isMeta === true || !isHuman(origin))
    return undefined;
  const text = resultText(prompt);
  return notWords.test(text) || text.trim() === '' ? undefined : told(text);
}

function isHuman(origin: UserRecord['origin']): boolean {
  return (origin?.kind ?? 'human') === 'human';
}

function told(text: string): string {
  return shorten(withoutPasteMarks(text).trim(), limits.textChars);
}
