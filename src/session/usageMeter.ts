import type { UsageBlock } from '../../core/protocol/block/agentBlocks.ts';
import { blockId, type TurnId } from '../../core/protocol/ids.ts';
import type { AgentEvent, UsageReport } from '../adapters/agent.ts';
import type { SessionRecord } from './sessionRecord.ts';

type RateLimit = NonNullable<UsageBlock['rate_limits']>[number];
type Figures = UsageReport['turn'];

const maxLimits = 16;
/** More digits are an artefact of adding. */
const costDigits = 9;

/**
 * Adds up what a conversation has used, over all the processes that carried it: the journal's newest figures are what is
 * added to, so that a restart counts nothing twice. A figure that nobody reports stays absent.
 */
export class UsageMeter {
  readonly #record: SessionRecord;
  /** Tokens that the conversation holds now; not written before the turn ends. */
  #context: number | undefined;
  readonly #limits = new Map<string, RateLimit>();

  constructor(record: SessionRecord) {
    this.#record = record;
  }

  note(event: Extract<AgentEvent, { type: 'context' | 'rate_limit' }>): void {
    if (event.type === 'context') {
      this.#context = event.used;
      return;
    }
    const { name, used, resets_at } = event;
    if (this.#limits.size < maxLimits || this.#limits.has(name))
      this.#limits.set(name, { name, used, ...(resets_at === undefined ? {} : { resets_at }) });
  }

  /** @param run the process that carried the turn */
  add(report: UsageReport, run: string, turn: TurnId | undefined): void {
    const before = this.#record.state.usage;
    const { cost, runCost } = costs(before, report, idOf(run));
    const window = report.context_window ?? before?.context_window;
    const limits = this.#limits.size === 0 ? before?.rate_limits : [...this.#limits.values()];
    const next: Omit<UsageBlock, 'ts' | 'turn_id'> = {
      type: 'usage',
      id: idOf(run),
      ...added(before, report.turn),
      ...(cost === undefined ? {} : { cost_usd: cost }),
      ...(runCost === undefined ? {} : { run_cost_usd: runCost }),
      ...(this.#context === undefined ? {} : { context_used: this.#context }),
      ...(window === undefined ? {} : { context_window: window }),
      ...(limits === undefined ? {} : { rate_limits: limits }),
    };
    if (before !== undefined && isSame(before, next)) return;
    this.#record.append({ ...next, ts: this.#record.now, ...(turn === undefined ? {} : { turn_id: turn }) });
  }
}

function idOf(run: string): UsageBlock['id'] {
  return blockId.parse(`usage.${run}`.replace(/[^A-Za-z0-9_.:-]/g, '_').slice(0, 128));
}

/** What a run has cost so far is part of the whole; another run begins at 0. */
function costs(
  before: UsageBlock | undefined,
  report: UsageReport,
  id: UsageBlock['id'],
): { readonly cost: number | undefined; readonly runCost: number | undefined } {
  const known = before?.cost_usd;
  if (report.turn.cost_usd !== undefined)
    return { cost: rounded((known ?? 0) + report.turn.cost_usd), runCost: undefined };
  if (report.run_cost_usd === undefined) return { cost: known, runCost: undefined };
  const ofRun = before?.id === id ? (before.run_cost_usd ?? 0) : 0;
  const cost = rounded((known ?? 0) + Math.max(0, report.run_cost_usd - ofRun));
  return { cost, runCost: report.run_cost_usd };
}

function added(before: UsageBlock | undefined, turn: Figures): Figures {
  const fields = ['input_tokens', 'output_tokens', 'cached_tokens', 'cache_write_tokens'] as const;
  const sums = fields.flatMap((field): [string, number][] => {
    const values = [before?.[field], turn[field]].filter(value => value !== undefined);
    return values.length === 0 ? [] : [[field, values.reduce((sum, value) => sum + value, 0)]];
  });
  return Object.fromEntries(sums);
}

function rounded(cost: number): number {
  return Number(cost.toFixed(costDigits));
}

function isSame(one: UsageBlock, other: Omit<UsageBlock, 'ts' | 'turn_id'>): boolean {
  const form = (block: Partial<UsageBlock>): string =>
    JSON.stringify(
      Object.entries(block)
        .filter(([key]) => key !== 'ts' && key !== 'turn_id')
        .sort(),
    );
  return form(one) === form(other);
}
