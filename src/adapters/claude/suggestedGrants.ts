import * as z from 'zod/mini';
import type { ToolCallBlock, ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import { limits } from '../../../core/protocol/limits.ts';

/** Something that Claude Code suggests to allow from now on. */
export interface Grant {
  /** All that it allows: what does not fit a button is not offered. */
  readonly label: string;
  /** Handed back to Claude Code. Ends with the session, and is written to no settings. */
  readonly update: ToolInput;
}

/** Besides them there is one to allow once and one to decline, and a request offers at most eight. */
const maxGrants = 6;

const suggestion = z.discriminatedUnion('type', [
  z.object({ type: z.literal('setMode'), mode: z.literal('acceptEdits'), destination: z.literal('session') }),
  z.object({
    type: z.literal('addRules'),
    behavior: z.literal('allow'),
    rules: z
      .array(z.object({ toolName: z.string(), ruleContent: z.optional(z.nullable(z.string())) }))
      .check(z.minLength(1)),
  }),
  z.object({ type: z.literal('addDirectories'), directories: z.array(z.string()).check(z.minLength(1)) }),
]);

/** Would not show, or show something else than it is. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * What may be granted from afar of what Claude Code suggests with a request, each for itself: rules and folders for the
 * session only, wherever it would keep them, and to accept edits. Everything else is the desk's.
 */
export function suggestedGrants(
  suggestions: readonly ToolInput[],
  kind: ToolCallBlock['kind'],
): readonly Grant[] {
  const grants = suggestions.flatMap((raw): Grant[] => {
    const parsed = suggestion.safeParse(raw);
    if (!parsed.success) return [];
    const label = labelOf(parsed.data, kind);
    if (label === undefined || label.length > limits.nameChars || hidden.test(label)) return [];
    return [{ label, update: { ...raw, destination: 'session' } }];
  });
  return grants.slice(0, maxGrants);
}

function labelOf(data: z.infer<typeof suggestion>, kind: ToolCallBlock['kind']): string | undefined {
  switch (data.type) {
    case 'setMode':
      // Suggested for a command, too, whose button would say less than it allows.
      return kind === 'edit' ? 'all edits' : undefined;
    case 'addRules':
      return data.rules
        .map(({ toolName, ruleContent }) =>
          ruleContent ? `${toolName}(${ruleContent})` : `every use of ${toolName}`,
        )
        .join(', ');
    case 'addDirectories':
      return `work in ${data.directories.join(', ')}`;
  }
}
