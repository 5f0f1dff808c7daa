import type { PermissionOption } from '../../../core/protocol/block/approvalBlocks.ts';
import type { ToolCallBlock, ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import type { ToolRequest } from './claudeFrame.ts';
import type { PermissionAnswer } from './claudeInput.ts';

/** An answer that the user may give, and what Claude Code is then told. */
export interface Choice {
  readonly option: PermissionOption;
  readonly answer: PermissionAnswer;
}

/** The answers to a permission request, the refusal last. */
export function askChoices(request: ToolRequest, kind: ToolCallBlock['kind']): readonly Choice[] {
  // Questions that can be put to people are no permission request.
  if (request.tool_name === 'AskUserQuestion') return [decline];
  const suggestion = kind === 'edit' ? sessionSuggestion(request) : undefined;
  return [
    { option: allow, answer: { behavior: 'allow', updatedInput: request.input } },
    ...(suggestion === undefined ? [] : [allowEdits(request.input, suggestion)]),
    refusal,
  ];
}

export const refusal: Choice = {
  option: { id: 'deny', label: 'Deny', kind: 'deny' },
  answer: {
    behavior: 'deny',
    message: 'The user said no to this action. Do not try it in another way; ask what to do instead.',
  },
};

const decline: Choice = {
  option: { id: 'deny', label: 'Do not answer', kind: 'deny' },
  answer: {
    behavior: 'deny',
    message: 'The user could not be shown these questions. Ask in plain words, one at a time.',
  },
};

const allow: PermissionOption = { id: 'allow', label: 'Allow', kind: 'allow_once' };

function allowEdits(updatedInput: ToolInput, suggestion: ToolInput): Choice {
  return {
    option: {
      id: 'allow_session',
      label: 'Allow this and all edits in this session',
      kind: 'allow_session',
    },
    answer: { behavior: 'allow', updatedInput, updatedPermissions: [suggestion] },
  };
}

/**
 * The one suggestion that may be granted from afar: to accept edits in this session. Others write to settings files, or
 * allow more than the label of a button can say.
 */
function sessionSuggestion(request: ToolRequest): ToolInput | undefined {
  return request.permission_suggestions?.find(
    suggestion =>
      suggestion.type === 'setMode' &&
      suggestion.mode === 'acceptEdits' &&
      suggestion.destination === 'session',
  );
}
