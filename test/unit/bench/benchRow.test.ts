import assert from 'node:assert/strict';
import { isOver, toBenchRow, type Measurement } from '../../../bench/report/benchRow.ts';
import { exitCodeFor } from '../../../bench/report/exitCodeFor.ts';

const measured: Measurement = { name: 'a.b', value: 6, unit: 'ms', limit: 15, note: 'not in the file' };
const free: Measurement = { name: 'free', value: 7, unit: 'ms', note: '' };
const over: Measurement = { ...measured, value: 15.5 };
const missing: Measurement = { ...measured, value: undefined, note: 'no editor' };

describe('a row of the benchmark’s JSON', () => {
  it('has exactly the five fields that readers of the file expect', () => {
    assert.deepEqual(toBenchRow(measured), { name: 'a.b', value: 6, unit: 'ms', limit: 15, ratio: 0.4 });
  });

  it('writes what does not exist as null', () => {
    assert.deepEqual(toBenchRow(free), { name: 'free', value: 7, unit: 'ms', limit: null, ratio: null });
    assert.deepEqual(toBenchRow(missing), { name: 'a.b', value: null, unit: 'ms', limit: 15, ratio: null });
  });

  it('is over its limit only above it', () => {
    assert.equal(isOver(toBenchRow(over)), true);
    assert.equal(isOver(toBenchRow({ ...measured, value: 15 })), false);
    assert.equal(isOver(toBenchRow(free)), false);
    assert.equal(isOver(toBenchRow(missing)), false);
  });
});

describe('the exit code of the benchmark', () => {
  const codeOf = (measurements: readonly Measurement[], strict = false): number =>
    exitCodeFor(measurements.map(toBenchRow), { strict });

  it('is 0 whatever the values, unless limits are to count', () => {
    assert.equal(codeOf([measured, free, over]), 0);
    assert.equal(codeOf([measured, free, over], true), 1);
    assert.equal(codeOf([measured, free], true), 0);
  });

  it('is 1 when something, or all, could not be measured', () => {
    assert.equal(codeOf([measured, missing]), 1);
    assert.equal(codeOf([]), 1);
  });
});
