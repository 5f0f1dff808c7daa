import * as z from 'zod/mini';
import { shorten } from '../../../core/base/cutText.ts';
import type { ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import { limits } from '../../../core/protocol/limits.ts';
import type { AskedQuestion, QuestionAnswer } from '../agent.ts';
import { agentBlockId } from './agentBlockId.ts';

const option = z.object({ label: z.string(), description: z.optional(z.nullable(z.string())) });

const questions = z.object({
  questions: z
    .array(
      z.object({
        question: z.string().check(z.minLength(1), z.maxLength(limits.textChars)),
        header: z.optional(z.nullable(z.string())),
        multiSelect: z.optional(z.nullable(z.boolean())),
        options: z.optional(z.array(option).check(z.maxLength(limits.questionOptions))),
      }),
    )
    .check(z.minLength(1), z.maxLength(limits.questionOptions)),
});

/**
 * The questions of a call of AskUserQuestion, in order. Own words may answer each of them, as in the terminal.
 *
 * @param requestId names the call; the ids of its questions are made of it
 * @returns undefined for a call that cannot be put to people as it is, or whose answers could not be told apart
 */
export function questionsOf(requestId: string, input: ToolInput): readonly AskedQuestion[] | undefined {
  const parsed = questions.safeParse(input);
  if (!parsed.success) return undefined;
  const asked = parsed.data.questions;
  // Answers go back by the words of their question.
  if (new Set(asked.map(({ question }) => question)).size < asked.length) return undefined;
  return asked.map((each, index): AskedQuestion => ({
    id: agentBlockId(`${requestId}.q${String(index + 1)}`),
    header: shorten(each.header ?? 'Question', limits.nameChars),
    text: each.question,
    options: (each.options ?? []).map(({ label, description }, place) => ({
      id: optionId(place),
      label: shorten(label, limits.titleChars),
      ...(description ? { description: shorten(description, limits.titleChars) } : {}),
    })),
    multiple: each.multiSelect === true,
    allow_custom: true,
    position: index + 1,
    chain_length: asked.length,
  }));
}

/**
 * What the call runs with once it is answered: its own input, and the words of the answers by the words of the questions.
 *
 * @param answers to every question of `questionsOf`, in order
 */
export function answersInput(input: ToolInput, answers: readonly QuestionAnswer[]): ToolInput {
  const asked = questions.parse(input).questions;
  const words = asked.flatMap(({ question, options = [] }, index): [string, string][] => {
    const answer = answers[index];
    if (answer === undefined) return [];
    if ('custom' in answer) return [[question, answer.custom]];
    const chosen = options.filter((_option, place) => answer.selected.includes(optionId(place)));
    return [[question, chosen.map(({ label }) => label).join(', ')]];
  });
  return { ...input, answers: Object.fromEntries(words) };
}

function optionId(place: number): string {
  return `option_${String(place + 1)}`;
}
