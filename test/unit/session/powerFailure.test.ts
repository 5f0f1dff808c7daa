import assert from 'node:assert/strict';
import type { Session } from '../../../src/session/session.ts';
import { SimMachine } from '../../fakes/world/simMachine.ts';
import { SimWindows } from '../../fakes/world/simWindows.ts';

const desk = { kind: 'desktop' as const };
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 6; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

describe('what somebody was told is done, after the machine lost its power', () => {
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

  async function losePower(): Promise<void> {
    machine.failPower();
    windows.failPower();
    await windows.restore(0);
    await settled();
  }

  async function run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) {
      machine.step();
      await settled();
      windows.clock.pass(1_000);
      await settled();
    }
  }

  function heard(): readonly string[] {
    return [...machine.conversations.values()].flatMap(({ prompts }) => prompts);
  }

  it('is the session itself, as it was made', async () => {
    const before = [...session().history(0)];
    windows.clock.pass(60_000);
    await losePower();
    assert.deepEqual([...session().history(0)], before);
  });

  it('is one conversation still when the power failed right after it was made: its id has a place', async () => {
    await losePower();
    for (const [id, text] of Object.entries({ p1: 'tell first', p2: 'tell second' })) {
      assert.ok(session().prompt(text, id, desk).ok);
      await settled();
      await run(6);
      for (const process of machine.processes) process.crash();
      await settled();
    }
    assert.deepEqual(heard(), ['tell first', 'tell second']);
    assert.equal(machine.conversations.size, 1);
  });

  describe('of a prompt that waits', () => {
    beforeEach(async () => {
      assert.ok(session().prompt('tell first', 'p1', desk).ok);
      await settled();
      await run(2);
      assert.ok(session().prompt('delete everything', 'p2', desk).ok);
      assert.ok(session().prompt('tell third', 'p3', desk).ok);
      assert.deepEqual(heard(), ['tell first']);
    });

    it('it is taken back: it is not sent', async () => {
      assert.ok(session().cancelQueued('p2').ok);
      await losePower();
      await run(40);
      assert.deepEqual(heard(), ['tell first', 'tell third']);
    });

    it('it has other words: it is sent in those', async () => {
      assert.ok(session().editQueued('p2', 'delete nothing').ok);
      await losePower();
      await run(40);
      assert.deepEqual(heard(), ['tell first', 'delete nothing', 'tell third']);
    });

    it('it goes before the others', async () => {
      assert.ok(session().sendQueued('p3').ok);
      await losePower();
      await run(40);
      assert.deepEqual(heard(), ['tell first', 'tell third', 'delete everything']);
    });

    it('it is held by a stop: it does not go by itself [F58]', async () => {
      const turn = session().summary.turn_id;
      assert.ok(turn);
      assert.ok(session().interrupt(turn).ok);
      await losePower();
      await run(40);
      assert.deepEqual(heard(), ['tell first']);
    });
  });
});
