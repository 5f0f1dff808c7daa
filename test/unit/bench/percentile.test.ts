import assert from 'node:assert/strict';
import fc from 'fast-check';
import { percentile } from '../../../bench/report/percentile.ts';

describe('a percentile', () => {
  it('is a value that was measured, in whatever order they came', () => {
    const samples = [9, 1, 10, 2, 8, 3, 7, 4, 6, 5];
    assert.equal(percentile(samples, 0.5), 5);
    assert.equal(percentile(samples, 0.9), 9);
    assert.equal(percentile(samples, 1), 10);
    assert.equal(percentile([3], 0.9), 3);
  });

  it('does not exist without samples', () => {
    assert.equal(percentile([], 0.5), undefined);
  });

  it('has its share of the samples at or below it', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), share, (samples, part) => {
        const found = percentile(samples, part);
        assert.ok(found !== undefined && samples.includes(found));
        assert.ok(samples.filter(sample => sample <= found).length >= part * samples.length);
      }),
    );
  });
});
