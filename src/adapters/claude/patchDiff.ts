import * as z from 'zod/mini';
import type { BlockId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import type { AgentBlock } from '../agent.ts';
import { agentBlockId } from './agentBlockId.ts';
import { cutText, shorten } from '../../../core/base/cutText.ts';

const hunk = z.object({
  oldStart: z.int(),
  oldLines: z.int(),
  newStart: z.int(),
  newLines: z.int(),
  lines: z.array(z.string()),
});
type Hunk = z.infer<typeof hunk>;

/** What Edit, MultiEdit and Write tell of their work in `tool_use_result`. */
const editResult = z.object({
  filePath: z.string(),
  structuredPatch: z.array(hunk),
  /** `create` when there was no such file; then the patch is empty and `content` is what was written. */
  type: z.optional(z.string()),
  content: z.optional(z.string()),
});

/** The unified diff of an edit; undefined when a result is not one of an edit, or nothing changed. */
export function patchDiff(
  toolCall: BlockId,
  toolUseResult: unknown,
): Extract<AgentBlock, { type: 'diff' }> | undefined {
  const parsed = editResult.safeParse(toolUseResult);
  if (!parsed.success) return undefined;
  const { filePath, structuredPatch, type, content } = parsed.data;
  const isNew = type === 'create';
  const hunks = structuredPatch.length === 0 && isNew ? wholeFile(content ?? '') : structuredPatch;
  if (hunks.length === 0) return undefined;
  const lines = hunks.flatMap(part => part.lines);
  const text = [
    `--- ${isNew ? '/dev/null' : `a/${withoutRoot(filePath)}`}`,
    `+++ b/${withoutRoot(filePath)}`,
    ...hunks.flatMap(part => [headerOf(part), ...part.lines]),
    '',
  ].join('\n');
  const unified = cutText(text, limits.bulkChars);
  return {
    type: 'diff',
    id: agentBlockId(`${toolCall}.diff`),
    path: shorten(filePath, limits.pathChars),
    unified,
    truncated: unified.length < text.length,
    added: lines.filter(line => line.startsWith('+')).length,
    removed: lines.filter(line => line.startsWith('-')).length,
    tool_call_id: toolCall,
  };
}

function headerOf(part: Hunk): string {
  const range = (start: number, count: number): string => `${String(start)},${String(count)}`;
  return `@@ -${range(part.oldStart, part.oldLines)} +${range(part.newStart, part.newLines)} @@`;
}

function wholeFile(content: string): Hunk[] {
  if (content === '') return [];
  const lines = content.replace(/\n$/, '').split('\n');
  return [
    {
      oldStart: 0,
      oldLines: 0,
      newStart: 1,
      newLines: lines.length,
      lines: lines.map(line => `+${line}`),
    },
  ];
}

function withoutRoot(path: string): string {
  return path.replace(/^\/+/, '');
}
