import type { PermissionOption } from '../../../core/protocol/block/approvalBlocks.ts';
import type { ToolCallBlock } from '../../../core/protocol/block/toolBlocks.ts';
import type { ToolRequest } from './claudeFrame.ts';
import type { PermissionAnswer } from './claudeInput.ts';
import { suggestedGrants } from './suggestedGrants.ts';

/** An answer that the user may give, and what Claude Code is then told. */
export interface Choice {
  readonly option: PermissionOption;
  readonly answer: PermissionAnswer;
}

/** The answers to a permission request, the refusal last. */
export function askChoices(request: ToolRequest, kind: ToolCallBlock['kind']): readonly Choice[] {
  const { input } = request;
  // Questions that can be put to people are no permission request.
  if (request.tool_name === 'AskUserQuestion') return [decline];
  const allowed: PermissionAnswer = { behavior: 'allow', updatedInput: input };
  if (request.tool_name === 'ExitPlanMode') return [{ option: begin, answer: allowed }, keepPlanning];
  const grants = suggestedGrants(request.permission_suggestions ?? [], kind);
  return [
    { option: allow, answer: allowed },
    ...grants.map(({ label, update }, index): Choice => ({
      option: { id: grantIds[index] ?? refusal.option.id, label, kind: 'allow_session' },
      answer: { ...allowed, updatedPermissions: [update] },
    })),
    refusal,
  ];
}

const grantIds = ['grant_a', 'grant_b', 'grant_c', 'grant_d', 'grant_e', 'grant_f'] as const;

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

const begin: PermissionOption = { id: 'allow', label: 'Begin', kind: 'allow_once' };
const keepPlanning: Choice = {
  option: { id: 'deny', label: 'Keep planning', kind: 'deny' },
  answer: {
    behavior: 'deny',
    message: 'The user does not want to begin with this plan. Ask what to change.',
  },
};
