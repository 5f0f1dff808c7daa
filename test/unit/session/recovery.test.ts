import assert from 'node:assert/strict';
import type { ErrorBlock } from '../../../core/protocol/block/sessionBlocks.ts';
import { blockId } from '../../../core/protocol/ids.ts';
import type { AgentEvent } from '../../../src/adapters/agent.ts';
import { FakeAgent } from '../../fakes/fakeAgent.ts';
import { withFullDisk } from './brokenDisk.ts';
import { SessionRig } from './sessionRig.ts';

const desk = { kind: 'desktop' as const };

describe('a session whose agent fails', () => {
  let rig: SessionRig;
  beforeEach(() => {
    rig = new SessionRig();
  });
  afterEach(() => rig.dispose());

  const call: AgentEvent = {
    type: 'block',
    block: {
      type: 'tool_call',
      id: blockId.parse('tool1'),
      name: 'Bash',
      title: 'x',
      kind: 'execute',
      input: {},
      status: 'running',
    },
  };

  function errors(): readonly ErrorBlock[] {
    return rig.blocks.flatMap(block => (block.type === 'error' ? [block] : []));
  }

  function sent(): readonly string[] {
    return rig.orders.flatMap(order => /^send (.*) as turn$/.exec(order)?.[1] ?? []);
  }

  async function pass(ms: number): Promise<void> {
    rig.clock.pass(ms);
    await rig.settle();
  }

  async function begin(...prompts: readonly string[]): Promise<void> {
    for (const text of prompts) rig.session.prompt(text, `c-${text}`, desk);
    await rig.settle();
    await rig.say({ type: 'prompt_accepted' });
  }

  async function fail(code: ErrorBlock['code'], more: Partial<ErrorBlock> = {}): Promise<void> {
    const id = blockId.parse(`e${String(rig.session.lastSeq)}`);
    await rig.say(
      { type: 'block', block: { type: 'error', id, code, message: 'x', ...more } },
      { type: 'turn_end', reason: 'error' },
    );
  }

  it('is started again also when its end cannot be written, which is made good: the disk is full', async () => {
    await begin('go');
    await withFullDisk(() => rig.crash());
    await pass(30_000);
    assert.equal(rig.session.prompt('again', 'c-again', desk).ok, true);
    await rig.settle();
    assert.deepEqual([rig.agents.length, sent()], [2, ['go', 'again']]);
    assert.deepEqual(rig.written.slice(3, 5), ['error agent_crashed', 'end error']);
  });

  it('ends the turn once, its calls unknown, and starts the agent again after a while [C25] [C43] [C47] [T68] [M71]', async () => {
    await begin('go');
    await rig.say(call);
    await rig.crash();
    assert.deepEqual(rig.written.slice(3), [
      'call tool1 running',
      'error agent_crashed',
      'call tool1 error',
      'result tool1 unknown',
      'end error',
    ]);
    assert.equal(rig.session.life, 'failed');
    const [error] = errors();
    assert.deepEqual(
      [error?.recoverable, error?.retry_in_ms, error?.attempt, error?.max_attempts],
      [true, 500, 1, 3],
    );
    await pass(499);
    assert.equal(rig.agents.length, 1);
    await pass(1);
    assert.equal(rig.agents.length, 2);
    assert.equal(rig.session.life, 'ready');
    assert.deepEqual(sent(), ['go'], 'nothing is run again');
    assert.equal(rig.written.filter(line => line.startsWith('end ')).length, 1);
  });

  it('is tried three times, ever later and never at the same time as others, then not until somebody says so [C43]', async () => {
    await begin('go', 'waits');
    rig.unit = 0.999;
    await rig.crash();
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const { retry_in_ms = 0, attempt: told } = errors().at(-1) ?? {};
      assert.equal(told, attempt);
      delays.push(retry_in_ms);
      await pass(retry_in_ms);
      assert.equal(rig.agents.length, attempt + 1);
      await rig.crash();
    }
    assert.deepEqual(delays, [999, 1998, 3996], 'full jitter of a doubling bound');
    const last = errors().at(-1);
    assert.deepEqual([last?.recoverable, last?.retry_in_ms], [false, undefined]);
    await pass(600_000);
    assert.equal(rig.agents.length, 4);
    assert.equal(rig.session.life, 'failed');
    rig.session.prompt('once more', 'again', desk);
    await rig.settle();
    assert.equal(rig.agents.length, 5);
  });

  it('counts anew after a turn that completed [C43]', async () => {
    await begin('go');
    await rig.crash();
    await pass(30_000);
    await begin('two');
    await rig.crash();
    assert.equal(errors().at(-1)?.attempt, 2, 'no turn completed');
    await pass(30_000);
    await begin('three');
    await rig.say({ type: 'turn_end', reason: 'completed' });
    await rig.crash();
    assert.equal(errors().at(-1)?.attempt, 1);
  });

  it('does not take what a crashed turn had failed of for the failure of the next one', async () => {
    await begin('go', 'two', 'three');
    const id = blockId.parse('e1');
    await rig.say({ type: 'block', block: { type: 'error', id, code: 'bad_credentials', message: 'x' } });
    await rig.crash();
    await pass(30_000);
    await rig.say({ type: 'prompt_accepted' }, { type: 'turn_end', reason: 'error' });
    assert.deepEqual(sent(), ['go', 'two', 'three']);
  });

  it('keeps what waits over a crash, and goes on with it, once, when the agent is back', async () => {
    await begin('go', 'two', 'three');
    await rig.crash();
    assert.deepEqual(rig.prompts, ['go delivered', 'two queued', 'three queued']);
    await pass(30_000);
    await rig.runTurn();
    await rig.runTurn();
    assert.deepEqual(sent(), ['go', 'two', 'three']);
  });

  it('does not say delivered of a prompt that the agent crashed with before its record showed it, and does not send it again', async () => {
    rig.session.prompt('go', 'c1', desk);
    await rig.settle();
    await rig.crash();
    await pass(30_000);
    assert.deepEqual(rig.prompts, ['go not_delivered']);
    assert.deepEqual(sent(), ['go']);
  });

  it('starts at once when somebody sends a prompt meanwhile, and once', async () => {
    await begin('go');
    await rig.crash();
    rig.session.prompt('two', 'c2', desk);
    await rig.settle();
    assert.equal(rig.agents.length, 2);
    await pass(600_000);
    assert.equal(rig.agents.length, 2);
  });

  it('starts nothing any more once it has been ended or let go', async () => {
    await begin('go');
    await rig.crash();
    rig.session.end();
    await pass(600_000);
    assert.equal(rig.agents.length, 1);
    rig.dispose();
    rig = new SessionRig();
    await begin('go');
    await rig.crash();
    rig.session.dispose();
    await pass(600_000);
    assert.equal(rig.agents.length, 1);
  });

  it('tries a start again that fails after a crash; a first one fails gracefully and says what to do [C21] [C41]', async () => {
    rig.startFailure = 'agent_missing';
    rig.session.prompt('go', 'c1', desk);
    await rig.settle();
    assert.equal(rig.session.life, 'failed');
    assert.match(errors()[0]?.message ?? '', /install it there\. Send a prompt/);
    assert.equal(errors()[0]?.recoverable, false);
    assert.deepEqual(rig.prompts, ['go held']);
    await pass(600_000);
    assert.equal(errors().length, 1);
    rig.startFailure = undefined;
    rig.session.sendQueued('c1');
    await rig.settle();
    await rig.say({ type: 'prompt_accepted' });
    rig.startFailure = 'agent_failed';
    await rig.crash();
    await pass(30_000);
    await pass(30_000);
    assert.deepEqual(
      errors().map(error => [error.code, error.attempt]),
      [
        ['agent_missing', undefined],
        ['agent_crashed', 1],
        ['agent_failed', 2],
        ['agent_failed', 3],
      ],
    );
    await pass(30_000);
    assert.equal(errors().at(-1)?.recoverable, false);
  });

  it('keeps what waits when the sign-in was refused or the conversation is too long, until somebody goes on [C42] [C45]', async () => {
    for (const code of ['bad_credentials', 'not_logged_in', 'context_overflow'] as const) {
      await begin('go', 'two', 'three');
      await fail(code);
      await pass(600_000);
      assert.deepEqual(rig.prompts, ['go delivered', 'two held', 'three held'], code);
      assert.deepEqual(sent(), ['go']);
      assert.equal(rig.session.life, 'ready');
      rig.session.sendQueued('c-two');
      await rig.settle();
      assert.deepEqual(sent(), ['go', 'two']);
      rig.dispose();
      rig = new SessionRig();
    }
  });

  it('waits when the service wants a pause, and says for how long [C44]', async () => {
    await begin('go', 'two', 'three');
    await fail('rate_limited');
    assert.equal(errors()[0]?.retry_in_ms, 15_000, 'half of the bound, as drawn');
    await pass(14_999);
    assert.deepEqual(sent(), ['go']);
    await pass(1);
    assert.deepEqual(sent(), ['go', 'two']);
    await rig.runTurn();
    await rig.say({ type: 'prompt_accepted' });
    await fail('overloaded');
    assert.equal(errors()[1]?.retry_in_ms, 15_000, 'a turn has completed meanwhile');
  });

  it('lets a person go on before the pause is over, and does not wait for what the agent tries again by itself [C44]', async () => {
    await begin('go', 'two');
    const id = blockId.parse('retry');
    const block = { type: 'error' as const, id, code: 'rate_limited' as const, message: 'x' };
    await rig.say(
      {
        type: 'block',
        block: { ...block, recoverable: true, retry_in_ms: 600, attempt: 1, max_attempts: 10 },
      },
      { type: 'turn_end', reason: 'completed' },
    );
    assert.deepEqual(sent(), ['go', 'two']);
    await rig.say({ type: 'prompt_accepted' });
    await fail('rate_limited');
    rig.session.prompt('now', 'c9', desk);
    await rig.settle();
    assert.deepEqual(sent(), ['go', 'two', 'now']);
  });

  it('takes in after a restart what the agent had recorded, before it calls anything unknown [M70] [M71] [M72]', async () => {
    rig.session.prompt('go', 'c1', desk);
    await rig.settle();
    const other = { ...call.block, id: blockId.parse('tool2') };
    const said: readonly AgentEvent[] = [
      { type: 'line', end: 10 },
      { type: 'prompt_accepted' },
      { type: 'line', end: 20 },
      call,
      { type: 'block', block: other },
    ];
    await rig.say(...said);
    const again = new FakeAgent();
    for (const event of said) again.events.push(event);
    const result = { type: 'tool_result', tool_call_id: blockId.parse('tool1'), content: 'done' } as const;
    again.events.push({ type: 'line', end: 30 });
    again.events.push({
      type: 'block',
      block: { ...result, id: blockId.parse('tool1.result'), truncated: false, outcome: 'ok' },
    });
    again.events.push({ type: 'exit', expected: false, detail: 'signal SIGKILL' });
    again.events.close();
    await rig.restart(again);
    assert.deepEqual(rig.written.slice(3), [
      'call tool1 running',
      'call tool2 running',
      'result tool1 ok',
      'error agent_crashed',
      'call tool2 error',
      'result tool2 unknown',
      'end error',
    ]);
    await pass(30_000);
    assert.deepEqual(sent(), ['go'], 'nothing is run again');
  });

  it('waits for nothing more of an agent that went before all of it was read again', async () => {
    rig.session.prompt('go', 'c1', desk);
    await rig.settle();
    await rig.say({ type: 'line', end: 10 }, { type: 'prompt_accepted' });
    const again = new FakeAgent();
    again.events.push({ type: 'exit', expected: true, detail: '' });
    await rig.restart(again);
    rig.session.prompt('two', 'c2', desk);
    await rig.settle();
    assert.deepEqual(sent(), ['go', 'two']);
  });

  it('goes on after any other failure of a turn', async () => {
    await begin('go', 'two');
    await fail('api_error');
    assert.deepEqual(sent(), ['go', 'two']);
  });
});
