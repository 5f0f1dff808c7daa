import type { PlanBlock, PlanItem } from '../../core/protocol/block/toolBlocks.ts';
import { blockId, type TurnId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { AgentBlock, AgentEvent } from '../adapters/agent.ts';
import type { SessionRecord } from './sessionRecord.ts';

type Plan = Omit<PlanBlock, 'ts' | 'turn_id'>;
type Step = Extract<AgentEvent, { type: 'plan_step' }>;

/** Writes the agent's plan, unless it is the one that is known: an agent may say the same list again. */
export function recordPlan(
  record: SessionRecord,
  plan: Extract<AgentBlock, { type: 'plan' }>,
  turn: TurnId | undefined,
): void {
  const known = record.state.plan;
  if (known?.id === plan.id && isSame(known.items, plan.items)) return;
  record.append({ ...plan, ts: record.now, ...(turn === undefined ? {} : { turn_id: turn }) });
}

/** Puts one step in its place in the plan that is known. */
export function recordPlanStep(record: SessionRecord, step: Step, turn: TurnId | undefined): void {
  recordPlan(record, planWith(record.state.plan, step), turn);
}

function planWith(plan: Plan | undefined, { id, text, status }: Step): Plan {
  const items = plan?.items ?? [];
  const known = items.find(item => item.id === id);
  const rest = items.filter(item => item !== known);
  const whole: Plan = { type: 'plan', id: plan?.id ?? blockId.parse('plan'), items };
  if (status === 'deleted') return { ...whole, items: rest };
  // A step that was never told has no words to be shown by.
  const words = text ?? known?.text;
  if (words === undefined) return whole;
  const next: PlanItem = { id, text: words, status: status ?? known?.status ?? 'pending' };
  const changed = known === undefined ? [...items, next] : items.map(item => (item === known ? next : item));
  return { ...whole, items: changed.slice(-limits.planItems) };
}

function isSame(one: readonly PlanItem[], other: readonly PlanItem[]): boolean {
  return JSON.stringify(one.map(fieldsOf)) === JSON.stringify(other.map(fieldsOf));
}

function fieldsOf({ id, text, status }: PlanItem): readonly unknown[] {
  return [id, text, status];
}
