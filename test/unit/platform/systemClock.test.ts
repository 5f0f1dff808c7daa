import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { systemClock as nodeClock } from '../../../platform/node/systemClock.ts';
import { systemClock as webClock } from '../../../platform/web/systemClock.ts';

describe('the clock of the machine', () => {
  it('does not run at once what is further off than a timer reaches', () => {
    for (const clock of [nodeClock, webClock]) {
      const delays: unknown[] = [];
      const timers = mock.method(globalThis, 'setTimeout', (_task: () => void, delay: number) => {
        delays.push(delay);
        return { unref: () => undefined };
      });
      try {
        clock.after(31 * 24 * 3_600_000, () => undefined);
        clock.after(1_000, () => undefined);
      } finally {
        timers.mock.restore();
      }
      assert.deepEqual(delays, [2_147_483_647, 1_000]);
    }
  });
});
