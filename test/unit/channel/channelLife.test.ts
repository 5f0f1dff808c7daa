import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  acceptTimeoutMs,
  deadlineOf,
  initialChannelLife,
  reduceChannelLife,
  staleMs,
  type ChannelAction,
  type ChannelLife,
} from '../../../core/channel/channelLife.ts';
import { channelStateOf } from '../../../phone/net/channelState.ts';

const lives: readonly ChannelLife[] = [
  { phase: 'offline' },
  { phase: 'opening', attempt: 2 },
  { phase: 'waiting', attempt: 3, delayMs: 800, code: undefined },
  { phase: 'waiting', attempt: 7, delayMs: 9_000, code: 'unauthorized' },
  { phase: 'open', attempt: 2, stale: false },
  { phase: 'open', attempt: 0, stale: true },
  { phase: 'refused', code: 'not_found' },
];
const actions: readonly ChannelAction[] = [
  { type: 'reachable' },
  { type: 'unreachable' },
  { type: 'opened' },
  { type: 'verified' },
  { type: 'expired', unit: 0.5 },
  { type: 'broken', unit: 0.5 },
  { type: 'other_key' },
  { type: 'doubted', code: 'revoked', unit: 0.5 },
  { type: 'refused', code: 'stale_session' },
];
const named = (life: ChannelLife): string =>
  life.phase === 'open' && life.stale
    ? 'stale'
    : life.phase === 'waiting' && life.code
      ? 'doubting'
      : life.phase;

/** The whole table: what each action makes of each phase, in the order of `actions`. */
const table: Record<string, string> = {
  offline: 'opening offline offline offline offline offline offline offline offline',
  opening: 'opening offline open open waiting waiting opening doubting refused',
  waiting: 'waiting offline waiting waiting opening waiting waiting doubting refused',
  doubting: 'doubting offline doubting doubting opening waiting doubting doubting refused',
  open: 'open offline open open stale waiting open doubting refused',
  stale: 'stale offline stale open stale waiting stale doubting refused',
  refused: 'refused offline refused refused refused waiting refused doubting refused',
};

describe('the life of a channel', () => {
  for (const life of lives)
    it(`goes from ${named(life)} where the table says`, () => {
      assert.deepEqual(
        actions.map(action => named(reduceChannelLife(life, action))),
        table[named(life)]?.split(' '),
      );
    });

  it('is stale after 45 s without a verified frame, and live again with the next one', () => {
    const open: ChannelLife = { phase: 'open', attempt: 0, stale: false };
    assert.equal(deadlineOf(open), 45_000);
    const stale = reduceChannelLife(open, { type: 'expired', unit: 0 });
    assert.deepEqual(channelStateOf(stale), { phase: 'open', stale: true });
    assert.equal(deadlineOf(stale), undefined);
    assert.deepEqual(reduceChannelLife(stale, { type: 'verified' }), open);
  });

  it('tries again later and later until a frame is verified', () => {
    let life: ChannelLife = reduceChannelLife(initialChannelLife, { type: 'reachable' });
    const delays: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      life = reduceChannelLife(life, { type: 'opened' });
      life = reduceChannelLife(life, { type: 'broken', unit: 0.999_999 });
      delays.push(deadlineOf(life) ?? 0);
      life = reduceChannelLife(life, { type: 'expired', unit: 0 });
    }
    assert.deepEqual(delays, [399, 799, 1_599, 3_199, 6_399, 12_799, 14_999, 14_999]);
    life = reduceChannelLife(reduceChannelLife(life, { type: 'opened' }), { type: 'verified' });
    assert.equal(deadlineOf(reduceChannelLife(life, { type: 'broken', unit: 0.999_999 })), 399);
  });

  it('doubts a relay that says no, and takes the word of the machine', () => {
    const opening: ChannelLife = { phase: 'opening', attempt: 0 };
    const doubted = reduceChannelLife(opening, { type: 'doubted', code: 'revoked', unit: 0.999_999 });
    assert.deepEqual(channelStateOf(doubted), { phase: 'refused', code: 'revoked' });
    assert.equal(deadlineOf(doubted), 14_999);
    const refused = reduceChannelLife(opening, { type: 'refused', code: 'unauthorized' });
    assert.equal(deadlineOf(refused), undefined);
    assert.deepEqual(reduceChannelLife(refused, { type: 'reachable' }), refused);
  });

  it('comes with another key at once, as often as there is one, without a longer wait afterwards', () => {
    const opening: ChannelLife = { phase: 'opening', attempt: 3 };
    const again = reduceChannelLife(opening, { type: 'other_key' });
    assert.notEqual(again, opening, 'a handshake of its own');
    assert.deepEqual(again, opening);
    assert.equal(deadlineOf(again), acceptTimeoutMs);
    assert.deepEqual(channelStateOf(again), { phase: 'opening' });
  });

  it('never waits for nothing, and is never live without a proof since it opened', () => {
    const step = fc.constantFrom(...actions);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        let life: ChannelLife = initialChannelLife;
        for (const action of steps) {
          const before = life;
          life = reduceChannelLife(before, action);
          const deadline = deadlineOf(life);
          if (life.phase === 'opening') assert.equal(deadline, acceptTimeoutMs);
          if (life.phase === 'waiting')
            assert.ok(deadline !== undefined && deadline >= 50 && deadline <= 15_000);
          if (life.phase === 'open' && !life.stale) assert.equal(deadline, staleMs);
          const isLive = life.phase === 'open' && !life.stale;
          const wasLive = before.phase === 'open' && !before.stale;
          if (isLive && !wasLive) assert.ok(action.type === 'opened' || action.type === 'verified');
        }
      }),
    );
  });
});
