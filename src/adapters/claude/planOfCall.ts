import * as z from 'zod/mini';
import { shorten } from '../../../core/base/cutText.ts';
import type { PlanItem, ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import type { BlockId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import type { AgentEvent } from '../agent.ts';
import { agentBlockId } from './agentBlockId.ts';

const status = z.enum(['pending', 'in_progress', 'completed']);
const toDos = z.object({ todos: z.array(z.object({ content: z.string(), status })) });
const created = z.object({ task: z.object({ id: z.string(), subject: z.string() }) });
const changed = z.object({ taskId: z.string() });
const change = z.object({
  taskId: z.string(),
  subject: z.optional(z.string()),
  status: z.optional(z.enum([...status.options, 'deleted'])),
});
const listed = z.object({ tasks: z.array(z.object({ id: z.string(), subject: z.string(), status })) });

/** A finished call that may have changed what the agent means to do. */
interface FinishedCall {
  readonly name: string;
  readonly input: ToolInput;
  /** What the tool tells programs. */
  readonly detail: unknown;
  /** The sub-agent that made it. */
  readonly parent: BlockId | undefined;
}

/**
 * What a call that went well makes of the plan: older versions write the whole list of it (TodoWrite), newer ones change
 * one step at a time (TaskCreate, TaskUpdate), which whoever keeps the plan puts in its place.
 */
export function planOfCall({ name, input, detail, parent }: FinishedCall): readonly AgentEvent[] {
  switch (name) {
    case 'TodoWrite': {
      const written = toDos.safeParse(input);
      if (!written.success) return [];
      return [
        planEvent(
          written.data.todos.map(({ content, ...rest }) => itemOf(content, rest)),
          parent,
        ),
      ];
    }
    case 'TaskList': {
      const list = listed.safeParse(detail);
      if (!list.success) return [];
      return [
        planEvent(
          list.data.tasks.map(({ id, subject, status: is }) =>
            itemOf(subject, { id: stepId(id), status: is }),
          ),
          undefined,
        ),
      ];
    }
    case 'TaskCreate': {
      const task = created.safeParse(detail);
      if (!task.success) return [];
      const { id, subject } = task.data.task;
      return [{ type: 'plan_step', id: stepId(id), text: titleOf(subject), status: 'pending' }];
    }
    case 'TaskUpdate': {
      const wanted = change.safeParse(input);
      if (!wanted.success || !changed.safeParse(detail).success) return [];
      const { taskId: id, subject, status: next } = wanted.data;
      if (subject === undefined && next === undefined) return [];
      const text = subject === undefined ? {} : { text: titleOf(subject) };
      return [
        { type: 'plan_step', id: stepId(id), ...text, ...(next === undefined ? {} : { status: next }) },
      ];
    }
  }
  return [];
}

/** The agent's own plan has one id for good; a sub-agent's has its own. */
function planEvent(items: readonly PlanItem[], parent: BlockId | undefined): AgentEvent {
  const id = agentBlockId(parent === undefined ? 'plan' : `${parent}.plan`);
  const of = parent === undefined ? {} : { parent_id: parent };
  return { type: 'block', block: { type: 'plan', id, ...of, items: items.slice(0, limits.planItems) } };
}

/** As a plan can hold it. */
function stepId(id: string): string {
  return agentBlockId(id).slice(-64);
}

function itemOf(text: string, rest: Omit<PlanItem, 'text'>): PlanItem {
  return { ...rest, text: titleOf(text) };
}

function titleOf(text: string): string {
  return shorten(text, limits.titleChars);
}
