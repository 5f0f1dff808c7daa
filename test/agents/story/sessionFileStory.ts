import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import type { StoryRecord } from './storyLine.ts';

const part = z.object({
  type: z.string(),
  text: z.optional(z.string()),
  id: z.optional(z.string()),
  name: z.optional(z.string()),
  input: z.optional(z.unknown()),
  tool_use_id: z.optional(z.string()),
  content: z.optional(z.unknown()),
  is_error: z.optional(z.nullable(z.boolean())),
});
export type MessagePart = z.infer<typeof part>;
export const messageContent = z.union([z.string(), z.array(part)]);

const line = z.object({
  type: z.enum(['user', 'assistant', 'attachment', 'system']),
  uuid: z.string(),
  parentUuid: z.optional(z.nullable(z.string())),
  timestamp: z.string(),
  isSidechain: z.optional(z.boolean()),
  isMeta: z.optional(z.boolean()),
  isApiErrorMessage: z.optional(z.boolean()),
  message: z.optional(z.object({ content: messageContent, model: z.optional(z.string()) })),
  attachment: z.optional(z.object({ type: z.string(), prompt: z.optional(messageContent) })),
});
type Line = z.infer<typeof line>;

/** What Claude Code's own file of a conversation tells. */
export interface SessionFileStory {
  readonly records: readonly StoryRecord[];
  /** When each thing was written, in Unix milliseconds, by the id that Claude Code gave it: of a prompt, a call or a result. */
  readonly writtenAt: ReadonlyMap<string, number>;
}

/** Reads the file as Claude Code writes it, knowing nothing of how the product reads it. No turn may run. */
export function readSessionFile(path: string): SessionFileStory {
  const parsed = readFileSync(path, 'utf8')
    .split('\n')
    .map(text => line.safeParse(jsonValue(text)))
    .flatMap(({ data }) => (data === undefined || data.isSidechain === true ? [] : [data]));
  const writtenAt = new Map<string, number>();
  const results = new Map<string, MessagePart>();
  const lines = inTreeOrder(parsed);
  for (const { uuid, timestamp, message } of lines) {
    const at = Date.parse(timestamp);
    writtenAt.set(uuid, at);
    for (const each of typeof message?.content === 'object' ? message.content : []) {
      if (each.type === 'tool_use') writtenAt.set(each.id ?? '', at);
      if (each.tool_use_id === undefined) continue;
      writtenAt.set(`${each.tool_use_id}.result`, at);
      results.set(each.tool_use_id, each);
    }
  }
  const records: StoryRecord[] = [];
  let isOpen = false;
  const end = (how: string): void => {
    if (isOpen) records.push({ kind: 'end', how });
    isOpen = false;
  };
  for (const each of lines) {
    const words = wordsOf(each);
    if (words?.startsWith('[Request interrupted by user') === true) end('interrupted');
    else if (words !== undefined) {
      if (each.type === 'user') end('completed');
      records.push({ kind: 'prompt', text: words });
      isOpen = true;
    }
    if (each.type !== 'assistant' || typeof each.message?.content !== 'object') continue;
    if (each.message.model === '<synthetic>' && each.isApiErrorMessage !== true) continue;
    records.push(...saidIn(each.message.content, results));
    if (each.isApiErrorMessage === true) end('error');
  }
  end('completed');
  return { records, writtenAt };
}

/** Texts and calls of the model. */
export function saidIn(
  content: readonly MessagePart[],
  results: ReadonlyMap<string, MessagePart>,
): readonly StoryRecord[] {
  return content.flatMap((each): readonly StoryRecord[] => {
    if (each.type === 'text') return [{ kind: 'text', text: (each.text ?? '').trim() }];
    if (each.type !== 'tool_use') return [];
    const result = results.get(each.id ?? '');
    return [
      {
        kind: 'call',
        name: each.name ?? '',
        input: each.input,
        ran: result === undefined ? undefined : result.is_error !== true,
        result: textOf(result?.content),
      },
    ];
  });
}

export function textOf(content: unknown): string {
  const read = messageContent.safeParse(content);
  if (!read.success) return '';
  return typeof read.data === 'string' ? read.data : read.data.map(({ text = '' }) => text).join('\n');
}

/** A person's words, without the marks that newer versions put around what was pasted. */
export function unmarked(text: string): string {
  return text.replace(/<(pasted_content id="[0-9a-f]+")>\n([^]*?)\n<\/\1>/g, '$2').trim();
}

/** What a person said, or that they interrupted. */
function wordsOf({ type, isMeta, message, attachment }: Line): string | undefined {
  if (isMeta === true) return undefined;
  if (attachment !== undefined)
    return attachment.type === 'queued_command' ? unmarked(textOf(attachment.prompt)) : undefined;
  if (type !== 'user' || message === undefined) return undefined;
  if (typeof message.content !== 'string' && message.content.some(each => each.type === 'tool_result'))
    return undefined;
  const text = unmarked(textOf(message.content));
  return text === '' || /^<[a-z-]+>/.test(text) ? undefined : text;
}

/** Each line after its parent: some versions write an answer before its prompt. The first of the same id counts. */
function inTreeOrder(lines: readonly Line[]): readonly Line[] {
  const byId = new Map<string, Line>();
  for (const each of lines) if (!byId.has(each.uuid)) byId.set(each.uuid, each);
  const ordered: Line[] = [];
  const waiting = new Map<string, Line[]>();
  const done = new Set<string>();
  const tell = (each: Line): void => {
    ordered.push(each);
    done.add(each.uuid);
    for (const child of waiting.get(each.uuid) ?? []) tell(child);
  };
  for (const each of byId.values()) {
    const parent = each.parentUuid ?? undefined;
    if (parent === undefined || done.has(parent) || !byId.has(parent)) tell(each);
    else waiting.set(parent, [...(waiting.get(parent) ?? []), each]);
  }
  return ordered;
}
