import type { Draw } from '../../fakes/draw.ts';
import { say, use, type Script } from '../../fakes/anthropic/script.ts';
import { endlessText, type StoryRecord } from './storyLine.ts';

/** What the model does with a prompt. */
export type PlanKind = 'say' | 'run' | 'write' | 'ask' | 'endless';

const kinds: readonly PlanKind[] = ['say', 'run', 'run', 'write', 'ask', 'endless'];

export function drawKind(draw: Draw): PlanKind {
  return draw.one(kinds);
}

/** A prompt, what the model is to do with it, and what became of it. */
export interface Plan {
  readonly mark: string;
  readonly kind: PlanKind;
  text: string;
  /** Of those that wait, the lowest goes first. */
  rank?: number;
  /** Whether its action ran, as far as it came to that. */
  ran?: boolean;
  end?: 'completed' | 'interrupted';
}

export const choices = ['Red', 'Blue'] as const;

/** @param folder where the commands of a plan leave their marks */
export function scriptOf({ kind, mark }: Plan, folder: string): Script {
  const last = [say(`After ${mark}.`)];
  const call = callOf(kind, mark, folder);
  if (call !== undefined) return [[say(`I will, ${mark}.`), use(call.name, call.input)], last];
  return kind === 'endless'
    ? [[{ type: 'stall', text: `${endlessText} ${mark}.\n\nAnd more,\n\nand` }]]
    : [last];
}

/** All that is to be told of it, once it is over. */
export function storyOf(plan: Plan, folder: string): readonly StoryRecord[] {
  const { kind, mark, text, ran = false, end = 'completed' } = plan;
  const call = callOf(kind, mark, folder);
  const called: readonly StoryRecord[] =
    call === undefined
      ? []
      : [
          { kind: 'text', text: `I will, ${mark}.` },
          { kind: 'call', ...call, ran },
        ];
  const last: readonly StoryRecord[] = end === 'completed' ? [{ kind: 'text', text: `After ${mark}.` }] : [];
  return [{ kind: 'prompt', text }, ...called, ...last, { kind: 'end', how: end }];
}

/** The file by which it is known that an action ran. */
export function fileOf(mark: string, folder: string): string {
  return `${folder}/${mark}.txt`;
}

function callOf(kind: PlanKind, mark: string, folder: string) {
  switch (kind) {
    case 'run':
      return { name: 'Bash', input: { command: `echo ${mark} > ${mark}.txt`, description: `Note ${mark}` } };
    case 'write':
      return { name: 'Write', input: { file_path: fileOf(mark, folder), content: `${mark}\n` } };
    case 'ask':
      return {
        name: 'AskUserQuestion',
        input: {
          questions: [
            {
              question: `Which one, ${mark}?`,
              header: 'Colour',
              multiSelect: false,
              options: choices.map(label => ({ label, description: `${label} it is` })),
            },
          ],
        },
      };
    case 'say':
    case 'endless':
      return undefined;
  }
}
