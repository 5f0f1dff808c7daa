import assert from 'node:assert/strict';
import { ok } from '../../../core/base/result.ts';
import { blockId } from '../../../core/protocol/ids.ts';
import { AsyncQueue } from '../../../core/base/asyncQueue.ts';
import type { AgentEvent, AgentLine, LineProcess, RunningAgent } from '../../../src/adapters/agent.ts';
import { createClaudeAdapter } from '../../../src/adapters/claude/claudeAdapter.ts';
import { createDemoAdapter } from '../../../src/adapters/demo/demoAdapter.ts';
import { FakeAgent } from '../../fakes/fakeAgent.ts';
import { SessionRig } from './sessionRig.ts';
import { writtenLine } from './writtenLine.ts';

const desk = { kind: 'desktop' as const };

/** A program of which a test sees what it is told. */
class ToldProcess implements LineProcess {
  readonly pid = 1;
  readonly sourceId = 'told';
  readonly caughtUp = Promise.resolve();
  readonly lines = new AsyncQueue<AgentLine>(100);
  readonly exited = new Promise<{ readonly expected: boolean; readonly detail: string }>(() => undefined);
  readonly #told: (text: string) => void;

  constructor(told: (text: string) => void) {
    this.#told = told;
  }

  writeLine(text: string): void {
    this.#told(text);
  }
  acknowledge(): void {
    // Nothing is kept.
  }
  end(): void {
    this.lines.close();
  }
  dispose(): void {
    this.lines.close();
  }
}

describe('a stop', () => {
  let rig: SessionRig;
  beforeEach(() => {
    rig = new SessionRig();
  });
  afterEach(() => rig.dispose());

  function stop(): void {
    const turn = rig.session.summary.turn_id;
    assert.ok(turn);
    assert.ok(rig.session.interrupt(turn).ok);
  }

  const started: AgentEvent = { type: 'prompt_accepted' };

  it('is in the journal, for this turn and with its reason, before the agent hears of it [C49]', async () => {
    rig.session.prompt('go', 'c1', desk);
    await rig.settle();
    await rig.say(started);
    const order: string[] = [];
    rig.session.onDidUpdate(update => {
      if (update.type === 'event') order.push(`journal: ${writtenLine(update.block) ?? update.block.type}`);
    });
    rig.agent.interrupt = () => order.push('agent: interrupt');
    stop();
    assert.deepEqual(order, ['journal: stopping', 'agent: interrupt']);
    const told = rig.blocks.find(block => block.type === 'session_state');
    assert.ok(told?.type === 'session_state');
    assert.equal(told.stopping, 'user_cancelled');
    assert.equal(told.turn_id, rig.session.summary.turn_id);
    assert.equal(rig.session.summary.activity, 'running', 'nothing is said to have stopped that has not');
  });

  it('says what it holds and withdraws before the agent hears of it, too [M38] [F58]', async () => {
    rig.session.prompt('go', 'c1', desk);
    await rig.settle();
    const action = {
      id: blockId.parse('ask1'),
      tool: 'Bash',
      title: 'x',
      input: {},
      cwd: '/',
      risk: 'high' as const,
      options: [{ id: 'allow', label: 'Allow', kind: 'allow_once' as const }],
    };
    await rig.say(started, { type: 'proposal', action });
    rig.session.prompt('two', 'c2', desk);
    const written: string[] = [];
    rig.agent.interrupt = () => written.push(...rig.written.slice(-3));
    stop();
    assert.deepEqual(written, ['stopping', 'resolved ask1 false interrupt', 'prompt two held']);
  });

  for (const name of ['demo', 'claude-code'] as const)
    it(`is written to the process of ${name} within the turn of the event loop in which it came [C48]`, async () => {
      const told: { readonly text: string; readonly loopTurn: number }[] = [];
      let loopTurn = 0;
      const process = new ToldProcess(text => told.push({ text, loopTurn }));
      const finder = { find: () => '/bin/claude', run: () => Promise.resolve('2.1.332') };
      const adapter =
        name === 'demo'
          ? createDemoAdapter({ argv: [], env: {} }, '/nowhere')
          : createClaudeAdapter({ finder });
      const context = {
        cwd: '/',
        resume: undefined,
        settings: {},
        isAdopted: false,
        openProcess: () => Promise.resolve(ok(process)),
      };
      const agent = await adapter.start({ version: '1', command: { argv: ['x'], env: {} } }, context);
      assert.ok(agent.ok);
      rig.startWith = (): RunningAgent => agent.value;
      rig.session.prompt('go', 'c1', desk);
      await rig.settle();
      const before = told.length;
      const count = (): void => {
        loopTurn += 1;
        if (loopTurn < 5) setImmediate(count);
      };
      setImmediate(count);
      stop();
      while (loopTurn < 5) await new Promise(resolve => setImmediate(resolve));
      const [first] = told.slice(before);
      assert.match(first?.text ?? '', /"interrupt"/);
      assert.equal(first?.loopTurn, 0);
    });

  it('is passed on again after a restart in the middle of it, and the turn is still being stopped', async () => {
    rig.session.prompt('go', 'c1', desk);
    await rig.settle();
    await rig.say(started);
    stop();
    const again = new FakeAgent();
    await rig.restart(again);
    assert.deepEqual(again.orders, ['interrupt']);
    assert.equal(rig.session.life, 'interrupting');
    again.events.push({ type: 'turn_end', reason: 'interrupted' });
    await rig.settle();
    assert.equal(rig.session.life, 'ready');
    rig.session.prompt('two', 'c2', desk);
    again.catchUp();
    await rig.settle();
    assert.deepEqual(again.orders, ['interrupt', 'send two as turn']);
    assert.equal(rig.session.life, 'streaming', 'a stop is for its turn alone');
  });

  it('leaves the session ready, with every text ended, whatever was in the middle [C24] [C51]', async () => {
    rig.session.prompt('go', 'c1', desk);
    await rig.settle();
    const id = blockId.parse('t1');
    await rig.say(started, { type: 'block', block: { type: 'text', id, text: 'half', done: false } });
    stop();
    await rig.say({ type: 'turn_end', reason: 'interrupted' });
    assert.deepEqual(rig.session.growing, []);
    assert.deepEqual(rig.written.slice(-3), ['stopping', 'text half', 'end interrupted']);
    assert.equal(rig.session.life, 'ready');
  });
});
