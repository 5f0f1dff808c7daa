import assert from 'node:assert/strict';
import type { DialogStatus } from '../../../../src/adapters/claude/dialogStatus.ts';
import {
  lookAtDialogs,
  noDialogs,
  watchAsks,
  type DialogWatch,
} from '../../../../src/adapters/claude/dialogWatch.ts';

const waiting = (since: number): DialogStatus => ({ isWaiting: true, since });
const working = (since: number): DialogStatus => ({ isWaiting: false, since });

/** What is settled when these looks follow each other; each is at a time, in milliseconds. */
function looks(watch: DialogWatch, ...steps: readonly (readonly [number, DialogStatus | undefined])[]) {
  const settled: string[][] = [];
  for (const [now, status] of steps) {
    const looked = lookAtDialogs(watch, status, now);
    ({ watch } = looked);
    settled.push([...looked.settled]);
  }
  return { watch, settled };
}

describe('who answered a dialog of Claude Code', () => {
  const asked = (...ids: string[]): DialogWatch => watchAsks(noDialogs, ids, 10_000);

  it('is the desk, when Claude Code does not wait any more and no answer was given here', () => {
    const { settled } = looks(
      asked('a'),
      [10_050, working(9_000)],
      [10_200, waiting(10_150)],
      [12_000, waiting(10_150)],
      [15_000, working(14_900)],
    );
    assert.deepEqual(settled, [[], [], [], ['a']]);
  });

  it('is the desk, too, when Claude Code waits in the next dialog by the time of a look', () => {
    const { settled } = looks(asked('a'), [10_200, waiting(10_150)], [10_400, waiting(10_390)]);
    assert.deepEqual(settled, [[], ['a']]);
  });

  it('is the desk that answered between two looks', () => {
    const { settled } = looks(asked('a'), [10_100, working(9_000)], [10_300, working(10_250)]);
    assert.deepEqual(settled, [[], ['a']]);
  });

  it('is nobody yet while it has not been seen to wait: the note comes after the hook', () => {
    const { settled } = looks(
      asked('a'),
      [10_100, working(9_000)],
      [12_900, working(9_000)],
      [13_100, working(9_000)],
    );
    assert.deepEqual(settled, [[], [], ['a']], 'a dialog that never came was decided by another hook');
  });

  it('is not told apart by the note when several wait at once, but all of them are once it does not wait', () => {
    const { settled, watch } = looks(
      asked('a', 'b'),
      [10_200, waiting(10_150)],
      [11_000, waiting(10_900)],
      [12_000, working(11_950)],
    );
    assert.deepEqual(settled, [[], [], ['a', 'b']]);
    assert.equal(watch.needsDesk, false);
  });

  it('is nobody for a hook that asked in a later dialog', () => {
    const first = looks(asked('a'), [10_200, waiting(10_150)]).watch;
    const both = watchAsks(first, ['a', 'b'], 10_500);
    const { settled, watch } = looks(both, [10_510, waiting(10_450)]);
    assert.deepEqual(settled, [['a']]);
    assert.deepEqual(looks(watchAsks(watch, ['b'], 10_520), [10_700, waiting(10_450)]).settled, [[]]);
  });

  it('is not known without a note: nothing is taken back, and nobody is called to the desk', () => {
    const { settled, watch } = looks(asked('a'), [10_200, waiting(10_150)], [60_000, undefined]);
    assert.deepEqual([settled, watch.needsDesk], [[[], []], false]);
  });
});

describe('a dialog of Claude Code that no hook tells of', () => {
  it('needs the desk once it has stayed for 2 s, and no longer than it stays', () => {
    const steps = [
      [10_000, waiting(9_900), false],
      [11_890, waiting(9_900), false],
      [11_950, waiting(9_900), true],
      [30_000, waiting(9_900), true],
      [30_200, working(30_100), false],
    ] as const;
    let watch = noDialogs;
    for (const [now, status, needsDesk] of steps) {
      ({ watch } = lookAtDialogs(watch, status, now));
      assert.equal(watch.needsDesk, needsDesk, String(now));
    }
  });

  it('is not one that a hook asks about, nor one that was just answered', () => {
    const open = looks(
      watchAsks(noDialogs, ['a'], 10_000),
      [10_200, waiting(10_150)],
      [60_000, waiting(10_150)],
    ).watch;
    assert.equal(open.needsDesk, false);
    const closed = watchAsks(open, [], 60_100);
    assert.equal(looks(closed, [61_000, waiting(10_150)]).watch.needsDesk, false);
    assert.equal(looks(closed, [62_200, waiting(10_150)]).watch.needsDesk, true, 'the answer was not taken');
  });

  it('ends when a hook begins to ask', () => {
    const needy = looks(noDialogs, [12_000, waiting(9_000)]).watch;
    assert.equal(needy.needsDesk, true);
    assert.equal(watchAsks(needy, ['a'], 12_100).needsDesk, false);
  });
});
