import assert from 'node:assert/strict';
import type { Session } from '../../../src/session/session.ts';
import { SimMachine } from '../../fakes/world/simMachine.ts';
import { SimWindows } from '../../fakes/world/simWindows.ts';
import { writtenLine } from './writtenLine.ts';

const desk = { kind: 'desktop' as const };

/** Whoever is told that a conversation ends may rely on it, whatever becomes of the window. */
describe('a conversation whose window goes right after it was ended', () => {
  let machine: SimMachine;
  let windows: SimWindows;
  beforeEach(() => {
    machine = new SimMachine();
    windows = new SimWindows(machine);
    windows.create();
  });
  afterEach(() => windows.dispose());

  function session(): Session {
    const [owner] = windows.owners;
    assert.ok(owner);
    return owner;
  }

  async function settle(): Promise<void> {
    for (let round = 0; round < 4; round += 1) await new Promise(resolve => setImmediate(resolve));
  }

  /** @param steps that the agent takes */
  async function begin(steps: number): Promise<void> {
    session().prompt('ask 1', 'p1', desk);
    await settle();
    for (let step = 0; step < steps; step += 1) {
      machine.step();
      await settle();
    }
  }

  async function reload(): Promise<void> {
    windows.crash(0);
    await windows.restore(0);
    await settle();
    machine.step();
    await settle();
  }

  function ends(): readonly (string | undefined)[] {
    return [...session().history(0)]
      .map(({ block }) => writtenLine(block))
      .filter(line => line?.startsWith('end'));
  }

  for (const steps of [0, 1, 2, 3])
    it(`stays ended, its turn with it, and its agent is ended ${String(steps)} steps into it`, async () => {
      await begin(steps);
      session().prompt('tell 2', 'p2', desk);
      assert.equal(machine.writers(), 1);
      assert.ok(session().end().ok);
      await reload();
      assert.equal(session().summary.activity, 'ended');
      assert.equal(machine.writers(), 0);
      assert.deepEqual(ends(), ['ended', 'end stopped']);
      const told = session().lastSeq;
      await reload();
      assert.equal(session().lastSeq, told, 'and that is said once');
    });

  it('starts nothing for what waited, and takes nothing more', async () => {
    await begin(1);
    session().prompt('tell 2', 'p2', desk);
    session().end();
    await reload();
    assert.deepEqual(session().prompt('tell 3', 'p3', desk), { ok: false, code: 'stale_session' });
    const last = [...session().history(0)].flatMap(({ block }) =>
      block.type === 'user_echo' && block.client_msg_id === 'p2' ? [block.state] : [],
    );
    assert.equal(last.at(-1), 'not_delivered');
    assert.equal(machine.processes.length, 1);
  });

  it('ends the agent’s own terminal, too', async () => {
    await begin(1);
    for (let step = 0; step < 10; step += 1) {
      for (const { id, options, digest } of session().pending)
        session().answer(id, options[0]?.id ?? '', digest, desk);
      machine.step();
      await settle();
    }
    const moving = session().continueInTerminal();
    await settle();
    machine.step();
    assert.ok((await moving).ok);
    assert.equal(machine.terminals.length, 1);
    // Its program asks before it goes: the window is gone by then.
    session().end();
    windows.crash(0);
    await windows.restore(0);
    await settle();
    assert.equal(machine.writers(), 0);
    assert.equal(session().summary.activity, 'ended');
  });
});
