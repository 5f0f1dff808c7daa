import { shorten } from '../../../core/base/cutText.ts';
import { limits } from '../../../core/protocol/limits.ts';
import type { AgentEvent } from '../agent.ts';
import { agentBlockId } from './agentBlockId.ts';
import { promptsAfter, type Place } from './branches.ts';

/** Says that the conversation goes on elsewhere in its tree than where it was. */
export function jumpNote(uuid: string, to: Place): AgentEvent {
  return note(uuid, isBeginningOf(uuid, to) ? wentBack(to) : goesOn(to));
}

/** Says that another branch begins, which is not told. */
export function leftNote(uuid: string, to: Place): AgentEvent {
  const words = to.branch.prompts.at(0)?.text ?? '';
  const where = firstLeft(to);
  return note(uuid, `Another branch begins${where && ` before ${where}`}, and is not shown: “${words}”`);
}

/** The record with which a branch begins. */
export function isBeginningOf(uuid: string, { branch }: Place): boolean {
  return branch.id === uuid;
}

function wentBack(to: Place): string {
  const count = to.branch.from === undefined ? 0 : promptsAfter(to.branch.from).length;
  const left = count > 1 ? ` ${String(count)} prompts are left in another branch.` : '';
  const where = firstLeft(to);
  return `Went back${where && ` to before ${where}`}, and goes on from there.${left}`;
}

/** The prompt that another branch has where this one begins. */
function firstLeft({ branch }: Place): string {
  const [first] = branch.from === undefined ? [] : promptsAfter(branch.from);
  return first === undefined ? '' : `“${first}”`;
}

function goesOn({ branch, step }: Place): string {
  const last = branch.prompts.findLast(prompt => prompt.step < step)?.text;
  return last === undefined ? 'Goes on in another branch.' : `Goes on in another branch, after “${last}”.`;
}

/** A line like that of a compaction: something that has happened. */
function note(uuid: string, label: string): AgentEvent {
  const id = agentBlockId(`${uuid}.branch`);
  return {
    type: 'block',
    block: { type: 'progress', id, label: shorten(label, limits.titleChars), percent: 100 },
  };
}
