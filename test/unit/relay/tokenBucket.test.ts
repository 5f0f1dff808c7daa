import assert from 'node:assert/strict';
import { TokenBucket } from '../../../relay/limits/tokenBucket.ts';

const rate = { burst: 4, perSecond: 2 };

describe('TokenBucket', () => {
  it('lets a burst through, then the rate', () => {
    const bucket = new TokenBucket(rate, 0);
    assert.deepEqual(
      [1, 2, 3, 4, 5].map(() => bucket.take(rate, 0)),
      [true, true, true, true, false],
    );
    // The refused one is owed too: 1 s pays it and one more.
    assert.equal(bucket.take(rate, 1_000), true);
    assert.equal(bucket.take(rate, 1_000), false);
  });

  it('never saves more than a burst', () => {
    const bucket = new TokenBucket(rate, 0);
    assert.deepEqual(
      [1, 2, 3, 4, 5].map(() => bucket.take(rate, 1e9)),
      [true, true, true, true, false],
    );
  });

  it('is rested when half of the burst is back', () => {
    const bucket = new TokenBucket(rate, 0);
    for (let count = 0; count < 6; count++) bucket.take(rate, 0);
    assert.equal(bucket.isRested(rate, 1_900), false);
    assert.equal(bucket.isRested(rate, 2_100), true);
  });

  it('is not confused by a clock that stands still or goes back', () => {
    const bucket = new TokenBucket({ burst: 1, perSecond: 1 }, 1_000);
    assert.equal(bucket.take({ burst: 1, perSecond: 1 }, 500), true);
    assert.equal(bucket.take({ burst: 1, perSecond: 1 }, 500), false);
  });
});
