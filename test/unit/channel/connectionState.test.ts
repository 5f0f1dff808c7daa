import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  initialConnectionState,
  reduceConnection,
  type ConnectionState,
} from '../../../core/channel/connectionState.ts';
import { closeCode } from '../../../core/protocol/closeCode.ts';

const connecting: ConnectionState = { phase: 'connecting', attempt: 0 };

describe('the life of a connection', () => {
  it('connects, is accepted, and comes back after a loss', () => {
    let state = reduceConnection(initialConnectionState, { type: 'start' });
    assert.deepEqual(state, connecting);
    state = reduceConnection(state, { type: 'accepted' });
    assert.deepEqual(state, { phase: 'online' });
    state = reduceConnection(state, { type: 'closed', code: 1006, unit: 0.5 });
    assert.equal(state.phase, 'waiting');
    assert.equal(reduceConnection(state, { type: 'retry' }).phase, 'connecting');
  });

  for (const [name, code] of [
    ['unauthorized', closeCode.unauthorized],
    ['revoked', closeCode.revoked],
    ['replaced', closeCode.replaced],
    ['incompatible_version', closeCode.incompatible_version],
  ] as const) {
    it(`stays down after ${name}: trying again would not help`, () => {
      const state = reduceConnection(connecting, { type: 'closed', code, unit: 0 });
      assert.deepEqual(state, { phase: 'stopped', reason: name });
      assert.equal(reduceConnection(state, { type: 'retry' }), state);
    });
  }

  it('waits longer and longer with full jitter, never beyond its bounds, and starts over after success', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (attempt, unit) => {
          const state = reduceConnection(
            { phase: 'connecting', attempt },
            { type: 'closed', code: 1006, unit },
          );
          assert.ok(state.phase === 'waiting');
          assert.equal(state.attempt, attempt + 1);
          assert.ok(state.delayMs >= 50 && state.delayMs <= 30_000);
        },
      ),
    );
    const after = reduceConnection({ phase: 'online' }, { type: 'closed', code: 1006, unit: 0.999 });
    assert.ok(after.phase === 'waiting' && after.delayMs < 1_000);
  });

  it('keeps a wait that the relay asked for', () => {
    const state = reduceConnection(connecting, { type: 'closed', code: 4429, unit: 0, retryAfterMs: 7_000 });
    assert.ok(state.phase === 'waiting' && state.delayMs === 7_000);
  });

  it('takes no notice of late events of an old socket', () => {
    const waiting: ConnectionState = { phase: 'waiting', attempt: 1, delayMs: 100 };
    assert.equal(reduceConnection(waiting, { type: 'closed', code: 1006, unit: 0 }), waiting);
    assert.equal(reduceConnection(waiting, { type: 'accepted' }), waiting);
    assert.equal(
      reduceConnection(initialConnectionState, { type: 'closed', code: 1006, unit: 0 }),
      initialConnectionState,
    );
  });
});
