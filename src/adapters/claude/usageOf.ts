import * as z from 'zod/mini';
import type { AgentEvent, UsageReport } from '../agent.ts';
import type { ResultFrame, StreamEvent } from './claudeFrame.ts';

const amount = z.optional(z.nullable(z.int().check(z.gte(0))));
const dollars = z.number().check(z.gte(0));

const tokens = z.object({
  input_tokens: amount,
  output_tokens: amount,
  cache_read_input_tokens: amount,
  cache_creation_input_tokens: amount,
});
type Tokens = z.infer<typeof tokens>;

const models = z.record(
  z.string(),
  z.object({ costUSD: z.optional(dollars), contextWindow: z.optional(z.int().check(z.gte(1))) }),
);

const rateLimit = z.object({
  rate_limit_info: z.object({
    rateLimitType: z.string(),
    utilization: z.number().check(z.gte(0), z.lte(1)),
    resetsAt: z.optional(z.int().check(z.gte(0))),
  }),
});

/**
 * What a turn used, of its result. What is not said is absent. Newer versions say what the turn cost; older ones what the
 * process has cost so far, from 0 on also when it goes on with a conversation.
 *
 * @param mainModel who answers, as `system/init` names it
 */
export function usageOf(result: ResultFrame, mainModel: string | undefined): UsageReport | undefined {
  const used = tokens.safeParse(result.usage);
  const byModel = models.safeParse(result.modelUsage);
  const sinceLast = models.safeParse(result.model_usage_since_last_result);
  const total = dollars.safeParse(result.total_cost_usd);
  if (!used.success && !total.success) return undefined;
  const costs = sinceLast.success ? Object.values(sinceLast.data).map(({ costUSD }) => costUSD) : [undefined];
  const turnCost = costs.every(cost => cost !== undefined) ? sum(costs) : undefined;
  const window = byModel.success ? contextWindow(byModel.data, mainModel) : undefined;
  return {
    turn: {
      ...(used.success ? figuresOf(used.data) : {}),
      ...(turnCost === undefined ? {} : { cost_usd: turnCost }),
    },
    ...(turnCost === undefined && total.success ? { run_cost_usd: total.data } : {}),
    ...(window === undefined ? {} : { context_window: window }),
  };
}

function figuresOf(used: Tokens): UsageReport['turn'] {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = used;
  return {
    ...(typeof input_tokens === 'number' ? { input_tokens } : {}),
    ...(typeof output_tokens === 'number' ? { output_tokens } : {}),
    ...(typeof cache_read_input_tokens === 'number' ? { cached_tokens: cache_read_input_tokens } : {}),
    ...(typeof cache_creation_input_tokens === 'number'
      ? { cache_write_tokens: cache_creation_input_tokens }
      : {}),
  };
}

/** Of the one who answers: sub-agents may use others. */
function contextWindow(byModel: z.infer<typeof models>, main: string | undefined): number | undefined {
  const named = main === undefined ? undefined : byModel[main]?.contextWindow;
  const [only, ...others] = Object.values(byModel);
  return named ?? (others.length === 0 ? only?.contextWindow : undefined);
}

/** How much of a plan's limit is used up, where it has one. Without a share, nothing is known. */
export function rateLimitOf(frame: unknown): AgentEvent | undefined {
  const parsed = rateLimit.safeParse(frame);
  if (!parsed.success) return undefined;
  const { rateLimitType: name, utilization: used, resetsAt } = parsed.data.rate_limit_info;
  const resets = resetsAt === undefined ? {} : { resets_at: resetsAt };
  return { type: 'rate_limit', name: name.replaceAll('_', ' ').slice(0, 80), used, ...resets };
}

/** How many tokens the conversation holds, counted over the messages of the one who answers. */
export class ContextCount {
  #tokens: Tokens | undefined;

  /** @returns what is known at the end of a message */
  stream(event: StreamEvent['event']): readonly AgentEvent[] {
    if (event.type === 'message_start') this.#tokens = tokens.safeParse(event.message?.usage).data;
    const told = event.type === 'message_delta' ? tokens.safeParse(event.usage).data : undefined;
    if (told !== undefined && this.#tokens !== undefined)
      this.#tokens = { ...this.#tokens, ...withoutNothing(told) };
    if (event.type !== 'message_stop' || this.#tokens === undefined) return [];
    const counts = Object.values(this.#tokens).filter(count => typeof count === 'number');
    this.#tokens = undefined;
    return counts.length === 0 ? [] : [{ type: 'context', used: sum(counts) }];
  }
}

function withoutNothing(told: Tokens): Tokens {
  return Object.fromEntries(Object.entries(told).filter(([, count]) => typeof count === 'number'));
}

function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((total, each) => total + (each ?? 0), 0);
}
