import assert from 'node:assert/strict';
import type { AgentEvent, UsageReport } from '../../src/adapters/agent.ts';
import { say } from '../fakes/anthropic/script.ts';
import { startClaudeRig, type ClaudeRig } from './claudeRig.ts';

describe(`what the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''} says that it used`, () => {
  let rig: ClaudeRig;
  beforeEach(async () => {
    rig = await startClaudeRig();
  });
  afterEach(async () => {
    await rig.dispose();
  });

  it('is told at the end of each turn: tokens, cost, and how full the conversation is', async () => {
    rig.anthropic.script('go', [[say('hello')]]);
    const conversation = await rig.start();
    await conversation.turn('go');
    await conversation.turn('go on');
    const [first, second] = reportsOf(conversation.events);
    assert.ok(first !== undefined && second !== undefined);
    for (const { turn, context_window } of [first, second]) {
      assert.ok((turn.input_tokens ?? 0) > 1_000);
      assert.equal(turn.output_tokens, 20);
      assert.equal(turn.cached_tokens, 0);
      assert.ok((context_window ?? 0) >= 200_000);
    }
    const contexts = conversation.events.filter(event => event.type === 'context');
    assert.deepEqual(
      contexts.map(event => event.used),
      [first, second].map(({ turn }) => (turn.input_tokens ?? 0) + 20),
    );
    assert.ok(costOf(first, undefined) > 0);
    assert.ok(costOf(second, first) > 0);
    await conversation.stop();
  });

  it('is never counted twice when another process goes on with the conversation', async () => {
    rig.anthropic.script('go', [[say('hello')]]);
    const before = await rig.start();
    await before.turn('go');
    const resume = before.events.find(event => event.type === 'native_id')?.id;
    assert.ok(resume !== undefined);
    const [first] = reportsOf(before.events);
    await before.stop();
    const after = await rig.start({ resume });
    await after.turn('go on');
    const [second] = reportsOf(after.events);
    assert.ok(first !== undefined && second !== undefined);
    // Turns alike cost alike: what was there before is not in it.
    assert.ok(costOf(second, undefined) < 1.5 * costOf(first, undefined));
    await after.stop();
  });
});

function reportsOf(events: readonly AgentEvent[]): readonly UsageReport[] {
  return events.flatMap(event => (event.type === 'usage' ? [event.report] : []));
}

/** Of a turn, in US dollars: as it is said, or as the process's own sum has grown. */
function costOf({ turn, run_cost_usd = NaN }: UsageReport, before: UsageReport | undefined): number {
  return turn.cost_usd ?? run_cost_usd - (before?.run_cost_usd ?? 0);
}
