import assert from 'node:assert/strict';
import { blockId } from '../../../core/protocol/ids.ts';
import type { AgentEvent } from '../../../src/adapters/agent.ts';
import { FakeAgent } from '../../fakes/fakeAgent.ts';
import { withFullDisk } from './brokenDisk.ts';
import { SessionRig } from './sessionRig.ts';

const desk = { kind: 'desktop' as const };
const second = 1_000;
const minute = 60 * second;

describe('an agent that does not do what it is told', () => {
  let rig: SessionRig;
  beforeEach(async () => {
    rig = new SessionRig();
    rig.session.prompt('go', 'c1', desk);
    await rig.settle();
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

  function stop(): void {
    const { turn_id } = rig.session.summary;
    assert.ok(turn_id);
    assert.ok(rig.session.interrupt(turn_id).ok);
  }

  async function pass(ms: number): Promise<void> {
    rig.clock.pass(ms);
    await rig.settle();
  }

  it('is ended when it ignores a stop, which is said, and its turn has one end [C24] [T68]', async () => {
    await rig.say({ type: 'prompt_accepted' }, call);
    rig.session.prompt('two', 'c2', desk);
    stop();
    await pass(15 * second - 1);
    assert.equal(rig.session.life, 'interrupting');
    assert.deepEqual(rig.agent.orders, ['send go as turn', 'interrupt']);
    const before = rig.session.lastSeq;
    await pass(1);
    assert.deepEqual(rig.written.slice(before), [
      'unresponsive',
      'error agent_failed',
      'call tool1 error',
      'result tool1 unknown',
      'end interrupted',
    ]);
    assert.equal(rig.agent.orders.at(-1), 'stop');
    assert.deepEqual(rig.prompts, ['go delivered', 'two held'], 'nobody sets it going again');
    assert.equal(rig.session.life, 'uninitialized');
    rig.session.sendQueued('c2');
    await rig.settle();
    await rig.runTurn();
    assert.deepEqual(rig.prompts, ['go delivered', 'two delivered']);
    assert.equal(rig.agents.length, 2);
  });

  it('has no longer when the stop is asked for again', async () => {
    await rig.say({ type: 'prompt_accepted' });
    stop();
    await pass(14 * second);
    stop();
    await pass(second);
    assert.equal(rig.agent.orders.at(-1), 'stop');
  });

  it('has as long again for a stop after a restart, which passes it on', async () => {
    await rig.say({ type: 'prompt_accepted' });
    stop();
    await pass(14 * second);
    const again = new FakeAgent();
    await rig.restart(again);
    await pass(14 * second);
    assert.deepEqual(again.orders, ['interrupt']);
    await pass(second);
    assert.deepEqual(again.orders, ['interrupt', 'stop']);
    assert.equal(rig.written.at(-1), 'end interrupted');
  });

  it('is left alone once its turn has ended, and in the next one', async () => {
    await rig.say({ type: 'prompt_accepted' });
    stop();
    await rig.say({ type: 'turn_end', reason: 'interrupted' });
    rig.session.prompt('two', 'c2', desk);
    await rig.settle();
    await rig.say({ type: 'prompt_accepted' });
    await pass(24 * 60 * minute);
    assert.deepEqual(rig.agent.orders, ['send go as turn', 'interrupt', 'send two as turn']);
    stop();
    await pass(15 * second);
    assert.equal(rig.agent.orders.at(-1), 'stop');
  });

  it('is left alone however long a turn takes that it has begun: a model’s service may be away for hours', async () => {
    await rig.say({ type: 'prompt_accepted' });
    await pass(24 * 60 * minute);
    assert.deepEqual(rig.agent.orders, ['send go as turn']);
    assert.equal(rig.session.life, 'streaming');
  });

  it('is ended when it never takes a prompt, which reads not delivered; what waits behind it is held', async () => {
    rig.session.prompt('two', 'c2', desk);
    await pass(5 * minute - 1);
    assert.deepEqual(rig.prompts, ['go queued', 'two queued'], 'it may be slow to start');
    const before = rig.session.lastSeq;
    await pass(1);
    assert.deepEqual(rig.agent.orders, ['send go as turn', 'stop']);
    assert.deepEqual(rig.prompts, ['go not_delivered', 'two held']);
    assert.deepEqual(rig.written.slice(before, before + 2), ['unresponsive', 'error agent_failed']);
    assert.equal(rig.written.filter(line => line.startsWith('end ')).length, 1);
    await pass(60 * minute);
    assert.equal(rig.agents.length, 1);
  });

  it('is ended also when the disk is full, and that is said once there is room', async () => {
    await rig.say({ type: 'prompt_accepted' });
    stop();
    await withFullDisk(() => pass(15 * second));
    assert.equal(rig.agent.orders.at(-1), 'stop');
    await pass(30 * second);
    assert.deepEqual(rig.written.slice(-3), ['unresponsive', 'error agent_failed', 'end interrupted']);
  });

  it('is waited for by nobody once the session has ended or was let go', async () => {
    await rig.say({ type: 'prompt_accepted' });
    stop();
    rig.session.dispose();
    await pass(minute);
    assert.deepEqual(rig.agent.orders, ['send go as turn', 'interrupt']);
  });
});
