import * as z from 'zod/mini';
import { limits } from '../../../core/protocol/limits.ts';
import type { PermissionOption } from '../../../core/protocol/block/approvalBlocks.ts';
import type { ToolCallBlock, ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import type { ToolRequest } from './claudeFrame.ts';
import type { PermissionAnswer } from './claudeInput.ts';
import { shorten } from '../../../core/base/cutText.ts';

/** An answer that the user may give, and what Claude Code is then told. */
export interface Choice {
  readonly option: PermissionOption;
  readonly answer: PermissionAnswer;
}

/** Besides the answers there is one to decline, and a request offers at most eight. */
const maxAnswers = 7;
const answerIds = [
  'answer_a',
  'answer_b',
  'answer_c',
  'answer_d',
  'answer_e',
  'answer_f',
  'answer_g',
] as const;

const oneQuestion = z.object({
  questions: z.tuple([
    z.object({
      question: z.string(),
      multiSelect: z.optional(z.boolean()),
      options: z.array(z.object({ label: z.string() })).check(z.minLength(1), z.maxLength(maxAnswers)),
    }),
  ]),
});

/** The answers to a permission request, the refusal last. */
export function askChoices(request: ToolRequest, kind: ToolCallBlock['kind']): readonly Choice[] {
  if (request.tool_name === 'AskUserQuestion') return questionChoices(request.input);
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

/** One question with one answer becomes buttons; for anything else the model is asked to ask in plain words. */
function questionChoices(input: ToolInput): readonly Choice[] {
  const decline: Choice = {
    option: { id: 'deny', label: 'Do not answer', kind: 'deny' },
    answer: {
      behavior: 'deny',
      message: 'The user did not pick an answer. Ask in plain words, one question at a time.',
    },
  };
  const parsed = oneQuestion.safeParse(input);
  if (!parsed.success || parsed.data.questions[0].multiSelect === true) return [decline];
  const [{ question, options }] = parsed.data.questions;
  const answers = options.flatMap(({ label }, index): Choice[] => {
    const id = answerIds[index];
    if (id === undefined) return [];
    return [
      {
        option: { id, label: shorten(label, limits.nameChars), kind: 'allow_once' },
        answer: { behavior: 'allow', updatedInput: { ...input, answers: { [question]: label } } },
      },
    ];
  });
  return [...answers, decline];
}
