import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../../src/adapters/agent.ts';
import { ClaudeDecoder } from '../../../../src/adapters/claude/claudeDecoder.ts';

function decode(frames: readonly object[]): readonly AgentEvent[] {
  const decoder = new ClaudeDecoder('/work');
  return frames.flatMap(frame => decoder.receive(JSON.stringify(frame)).events);
}

const init = { type: 'system', subtype: 'init', session_id: 's', model: 'big' };
const usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 7,
};
const result = (fields: object) => ({ type: 'result', subtype: 'success', ...fields });
const reports = (frames: readonly object[]) =>
  decode(frames).flatMap(event => (event.type === 'usage' ? [event.report] : []));

describe('what Claude Code says that it used', () => {
  it('is told before the turn ends, as far as it says it', () => {
    const events = decode([result({ usage, total_cost_usd: 0.5 })]);
    assert.deepEqual(
      events.map(event => event.type),
      ['usage', 'turn_end'],
    );
    assert.deepEqual(reports([result({ usage, total_cost_usd: 0.5 })]), [
      {
        turn: { input_tokens: 10, output_tokens: 5, cached_tokens: 0, cache_write_tokens: 7 },
        run_cost_usd: 0.5,
      },
    ]);
    assert.deepEqual(reports([result({ usage: { input_tokens: 1, output_tokens: null } })]), [
      { turn: { input_tokens: 1 } },
    ]);
    assert.deepEqual(reports([result({})]), []);
  });

  it('is what the turn cost where it says that, for it counts a conversation that goes on from before', () => {
    const since = { big: { costUSD: 0.25 }, small: { costUSD: 0.5 } };
    const [report] = reports([result({ usage, total_cost_usd: 9, model_usage_since_last_result: since })]);
    assert.equal(report?.turn.cost_usd, 0.75);
    assert.equal(report.run_cost_usd, undefined);
  });

  it('takes the window of the model that answers, never a sub-agent’s', () => {
    const modelUsage = { small: { contextWindow: 200 }, big: { contextWindow: 1_000 } };
    const window = (frames: readonly object[]) => reports(frames)[0]?.context_window;
    assert.equal(window([init, result({ usage, modelUsage })]), 1_000);
    assert.equal(window([result({ usage, modelUsage })]), undefined);
    assert.equal(window([result({ usage, modelUsage: { other: { contextWindow: 300 } } })]), 300);
    assert.equal(window([result({ usage, modelUsage: { other: { contextWindow: 0 } } })]), undefined);
  });

  it('counts what the conversation holds at the end of each message of its own', () => {
    const stream = (event: object, parent: string | null = null) => ({
      type: 'stream_event',
      event,
      parent_tool_use_id: parent,
    });
    const events = decode([
      stream({ type: 'message_start', message: { id: 'm1', usage: { ...usage, output_tokens: 1 } } }),
      stream({ type: 'message_start', message: { id: 'm2', usage: { input_tokens: 999 } } }, 'sub'),
      stream({ type: 'message_delta', usage: { output_tokens: 20 } }),
      stream({ type: 'message_stop' }, 'sub'),
      stream({ type: 'message_stop' }),
      stream({ type: 'message_start', message: { id: 'm3' } }),
      stream({ type: 'message_stop' }),
    ]);
    assert.deepEqual(events, [{ type: 'context', used: 37 }]);
  });

  it('ends a turn whatever its figures are', () => {
    for (const odd of [{ usage: 'much' }, { usage: { input_tokens: -1 } }, { total_cost_usd: 'free' }])
      assert.deepEqual(decode([result(odd)]), [{ type: 'turn_end', reason: 'completed' }]);
  });

  it('tells a limit whose share it knows', () => {
    const limit = (rate_limit_info: object) => ({ type: 'rate_limit_event', rate_limit_info });
    assert.deepEqual(
      decode([
        limit({ status: 'allowed', rateLimitType: 'five_hour', utilization: 0.5, resetsAt: 1_800_000_000 }),
        limit({ status: 'allowed', rateLimitType: 'seven_day' }),
      ]),
      [{ type: 'rate_limit', name: 'five hour', used: 0.5, resets_at: 1_800_000_000 }],
    );
  });
});
