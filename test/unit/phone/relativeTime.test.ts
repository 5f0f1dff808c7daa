import assert from 'node:assert/strict';
import { ageText, relativeTime } from '../../../phone/views/parts/relativeTime.ts';

const minute = 60_000;
const now = Date.UTC(2026, 5, 15, 12);

describe('relative times', () => {
  it('grow coarser with age', () => {
    const of = (ageMs: number) => relativeTime(now - ageMs, now);
    assert.equal(of(59_999), 'now');
    assert.equal(of(minute), '1 min');
    assert.equal(of(59 * minute), '59 min');
    assert.equal(of(60 * minute), '1 h');
    assert.equal(of(23 * 60 * minute), '23 h');
    assert.equal(of(24 * 60 * minute), '1 d');
    assert.equal(of(6 * 24 * 60 * minute), '6 d');
    assert.match(of(30 * 24 * 60 * minute), /2026/);
  });

  it('never give a negative age when clocks differ', () => {
    assert.equal(relativeTime(now + 5 * minute, now), 'now');
  });

  it('stand after words, and are silent within the first minute', () => {
    assert.equal(ageText(now - 30_000, now), '');
    assert.equal(ageText(now - 3 * minute, now), 'for 3 min');
    assert.match(ageText(now - 30 * 24 * 60 * minute, now), /^since /);
  });
});
