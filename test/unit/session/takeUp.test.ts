import assert from 'node:assert/strict';
import { ok } from '../../../core/base/result.ts';
import { SimMachine } from '../../fakes/world/simMachine.ts';
import { SimWindows } from '../../fakes/world/simWindows.ts';

const desk = { kind: 'desktop' as const };
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 6; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

describe('a session whose agent runs on while its window is gone', () => {
  let machine: SimMachine;
  let windows: SimWindows;
  /** Lets the keeper answer whoever wants to attach to the agent. */
  let answerOfKeeper: () => void;
  let attached: Set<unknown>;
  beforeEach(async () => {
    attached = new Set();
    machine = new SimMachine();
    windows = new SimWindows(machine);
    windows.create();
    windows.owners[0]?.prompt('ask first', 'p1', desk);
    await settled();
    for (let step = 0; step < 4; step += 1) {
      machine.step();
      await settled();
    }
    assert.equal(windows.owners[0]?.pending.length, 1);
    windows.crash(0);
    const answered = new Promise<void>(resolve => (answerOfKeeper = resolve));
    const reopen = machine.keepers.reopen.bind(machine.keepers);
    machine.keepers.reopen = async address => {
      await answered;
      const reopened = await reopen(address);
      if (!reopened.ok) return reopened;
      const process = reopened.value;
      attached.add(process);
      const dispose = (): void => {
        attached.delete(process);
        process.dispose();
      };
      return ok({ ...process, dispose });
    };
  });
  afterEach(() => windows.dispose());

  it('is there for others once its agent is taken up, and not before: what is asked of it meanwhile would start a second one [D3]', async () => {
    const restoring = windows.restore(1);
    await settled();
    assert.equal(windows.owners.length, 0);
    answerOfKeeper();
    await restoring;
    const [session] = windows.owners;
    const [request] = session?.pending ?? [];
    assert.ok(session && request);
    assert.ok(session.answer(request.id, 'allow', request.digest, desk).ok, 'it can be answered at once');
    assert.ok(session.prompt('tell second', 'p2', desk).ok);
    for (let step = 0; step < 12; step += 1) {
      machine.step();
      await settled();
    }
    assert.equal(machine.writers(), 1);
    const heard = [...machine.conversations.values()].flatMap(({ prompts }) => prompts);
    assert.deepEqual(heard, ['ask first', 'tell second']);
  });

  it('belongs to nobody when its new window goes while the agent is taken up: the next one takes it, with its agent', async () => {
    const restoring = windows.restore(1);
    await settled();
    windows.crash(1);
    answerOfKeeper();
    await restoring;
    assert.equal(windows.owners.length, 0);
    assert.equal(attached.size, 0, 'it holds on to nothing');
    await windows.restore(0);
    const [session] = windows.owners;
    const [request] = session?.pending ?? [];
    assert.ok(session && request);
    assert.ok(session.answer(request.id, 'deny', request.digest, desk).ok);
    for (let step = 0; step < 6; step += 1) {
      machine.step();
      await settled();
    }
    assert.equal(session.summary.activity, 'idle');
    assert.equal(machine.writers(), 1);
  });
});
