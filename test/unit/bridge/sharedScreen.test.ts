import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { Result } from '../../../core/base/result.ts';
import type { ScreenPicture } from '../../../core/protocol/screenPicture.ts';
import { longestLookMs, SharedScreen } from '../../../src/bridge/sharedScreen.ts';
import type { LookFailure } from '../../../src/terminal/keeperRequests.ts';
import { FakeScreen } from '../../fakes/fakeScreen.ts';
import { StoppedClock } from '../../fakes/stoppedClock.ts';

const never = new AbortController().signal;

describe('one screen for all who look at it', () => {
  let source: FakeScreen;
  let clock: StoppedClock;
  let screen: SharedScreen;
  beforeEach(() => {
    source = new FakeScreen();
    clock = new StoppedClock();
    screen = new SharedScreen(source, clock);
  });

  const seen = (looked: Result<ScreenPicture | undefined, LookFailure>): string =>
    looked.ok
      ? looked.value === undefined
        ? 'nothing new'
        : `${String(looked.value.revision)}: ${String(looked.value.changed.length)} rows`
      : looked.code;
  const look = (after?: number, signal = never): Promise<string> => screen.look(after, signal).then(seen);

  it('is told at once, then as soon as it changes, and that nothing did before anybody gives up', async () => {
    assert.equal(await look(), '1: 3 rows');
    const next = look(1);
    await turn();
    source.change();
    assert.equal(await next, '2: 1 rows');
    const quiet = look(2);
    await turn();
    clock.pass(longestLookMs);
    assert.equal(await quiet, 'nothing new');
    await turn();
    assert.equal(source.isWatched, false, 'nobody looks any more');
  });

  it('is looked at once for all who have the present', async () => {
    await look();
    const waiting = [look(1), look(1), look(1)];
    await turn();
    const before = source.looks.length;
    source.change();
    assert.deepEqual(await Promise.all(waiting), ['2: 1 rows', '2: 1 rows', '2: 1 rows']);
    assert.ok(before <= 2, `${String(before)} looks`);
  });

  it('makes nobody who lacks something wait behind those who wait for a change', async () => {
    await look();
    source.change();
    await look(1);
    const present = look(2);
    await turn();
    assert.equal(await look(), '2: 3 rows');
    assert.equal(await look(1), '2: 1 rows');
    source.change();
    assert.equal(await present, '3: 1 rows', 'and they are told as before');
  });

  it('is told whole to who knows a revision of another life of the machine', async () => {
    assert.equal(await look(99), '1: 3 rows');
    assert.equal(await look(99), '1: 3 rows');
  });

  it('is not looked at for who has gone', async () => {
    await look();
    const gone = new AbortController();
    const waiting = look(1, gone.signal);
    await turn();
    assert.equal(source.isWatched, true);
    gone.abort();
    assert.equal(await waiting, 'aborted');
    await turn();
    assert.equal(source.isWatched, false);
    assert.equal(await look(1, gone.signal), 'aborted');
  });

  it('says to all that it is gone', async () => {
    await look();
    const waiting = [look(1), look(1)];
    await turn();
    source.fail('gone');
    assert.deepEqual(await Promise.all(waiting), ['gone', 'gone']);
    assert.equal(await look(), 'gone');
  });

  it('gives pages one after the other, and the next one although one was given up', async () => {
    source.holdPages = true;
    const gone = new AbortController();
    const first = screen.page({ before: 10, limit: 5 }, gone.signal);
    await turn();
    source.holdPages = false;
    const second = screen.page({ before: 5, limit: 5 }, never);
    await turn();
    assert.equal(source.pages.length, 1);
    gone.abort();
    assert.deepEqual(await first, { ok: false, code: 'aborted' });
    const told = await second;
    assert.deepEqual(told.ok && told.value.lines.map(({ runs }) => runs[0]?.text), [
      'line 0',
      'line 1',
      'line 2',
      'line 3',
      'line 4',
    ]);
  });
});
