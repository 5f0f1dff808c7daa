import assert from 'node:assert/strict';
import type { UsageBlock } from '../../../core/protocol/block/agentBlocks.ts';
import type { AgentEvent, UsageReport } from '../../../src/adapters/agent.ts';
import { FakeAgent } from '../../fakes/fakeAgent.ts';
import { SessionRig } from './sessionRig.ts';

const used = (report: UsageReport): AgentEvent => ({ type: 'usage', report });
const end: AgentEvent = { type: 'turn_end', reason: 'completed' };

/** One of several processes that carry a conversation. */
class NamedAgent extends FakeAgent {
  override readonly sourceId: string;

  constructor(sourceId: string) {
    super();
    this.sourceId = sourceId;
  }
}

describe('what a conversation has used', () => {
  let rig: SessionRig;
  let prompts = 0;
  let agent = new NamedAgent('one');
  beforeEach(() => {
    rig = new SessionRig();
    agent = new NamedAgent('one');
    rig.startWith = () => agent;
  });
  afterEach(() => rig.dispose());

  const turn = async (...events: readonly AgentEvent[]): Promise<void> => {
    rig.session.prompt('go', `c${String((prompts += 1))}`, { kind: 'desktop' });
    await rig.settle();
    for (const event of [{ type: 'prompt_accepted' } as const, ...events, end]) agent.events.push(event);
    await rig.settle();
  };
  const written = () => rig.blocks.filter((block): block is UsageBlock => block.type === 'usage');

  it('is added up over its turns, and what nobody reports is absent', async () => {
    await turn({ type: 'context', used: 30 }, used({ turn: { input_tokens: 10, output_tokens: 5 } }));
    await turn({ type: 'context', used: 70 }, used({ turn: { input_tokens: 20 }, context_window: 100 }));
    const [first, second] = written();
    assert.deepEqual(
      [first?.input_tokens, first?.output_tokens, first?.context_used, first?.context_window],
      [10, 5, 30, undefined],
    );
    assert.ok(first !== undefined && !('cost_usd' in first) && !('cached_tokens' in first));
    assert.deepEqual(
      [second?.input_tokens, second?.output_tokens, second?.context_used, second?.context_window],
      [30, 5, 70, 100],
    );
    assert.ok(first.turn_id !== undefined && first.turn_id !== second?.turn_id, 'each is of its turn');
  });

  it('is added to what each turn cost', async () => {
    await turn(used({ turn: { cost_usd: 0.1 } }));
    await turn(used({ turn: { cost_usd: 0.2 } }));
    assert.deepEqual(
      written().map(block => block.cost_usd),
      [0.1, 0.3],
    );
  });

  it('counts what a process has cost once, however often it says it, and that of the next on top', async () => {
    await turn(used({ turn: {}, run_cost_usd: 0.5 }));
    await turn(used({ turn: {}, run_cost_usd: 0.75 }));
    agent.events.push({ type: 'exit', expected: true, detail: '' });
    await rig.settle();
    agent = new NamedAgent('two');
    await turn(used({ turn: {}, run_cost_usd: 0.9 }));
    await turn(used({ turn: {}, run_cost_usd: 1 }));
    assert.deepEqual(
      written().map(block => [block.cost_usd, block.run_cost_usd]),
      [
        [0.5, 0.5],
        [0.75, 0.75],
        [1.65, 0.9],
        [1.75, 1],
      ],
    );
  });

  it('is not written again when nothing of it changes', async () => {
    await turn(used({ turn: { input_tokens: 10 } }));
    await turn(used({ turn: { input_tokens: 0, output_tokens: 0 } }));
    await turn(used({ turn: { input_tokens: 0, output_tokens: 0 } }));
    assert.equal(written().length, 2);
  });

  it('tells limits as they were told last, and who comes late is told all of it', async () => {
    const limit = (name: string, share: number): AgentEvent => ({ type: 'rate_limit', name, used: share });
    await turn(limit('five hour', 0.1), limit('five hour', 0.2), limit('seven day', 0.3), used({ turn: {} }));
    assert.deepEqual(written()[0]?.rate_limits, [
      { name: 'five hour', used: 0.2 },
      { name: 'seven day', used: 0.3 },
    ]);
    assert.ok(rig.session.carried.some(block => block.type === 'usage'));
  });
});
