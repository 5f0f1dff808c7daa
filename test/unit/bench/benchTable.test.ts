import assert from 'node:assert/strict';
import { benchTable, formatNumber } from '../../../bench/report/benchTable.ts';

describe('the table of the benchmark', () => {
  it('lines numbers up, marks what is over its limit, and says why a value is missing', () => {
    const lines = benchTable([
      { name: 'activate.call', value: undefined, unit: 'ms', limit: 15, note: 'no Chromium' },
      { name: 'bundle.extension', value: 310.58, unit: 'KiB', limit: 600, note: 'minified' },
      { name: 'latency.times', value: 4.5, unit: 'times', limit: 4, note: 'medians' },
      { name: 'latency.answer', value: 7.04, unit: 'ms', note: '' },
    ]);
    assert.deepEqual(lines, [
      'name              value  unit   limit  ratio',
      'activate.call         -  ms        15      -  not measured: no Chromium',
      'bundle.extension    311  KiB      600   0.52  minified',
      'latency.times      4.50  times      4   1.13  OVER  medians',
      'latency.answer     7.04  ms         -      -',
    ]);
  });

  it('shows three digits that count', () => {
    assert.deepEqual([0.408, 7.04, 15, 93.3, 310.6, 1282].map(formatNumber), [
      '0.41',
      '7.04',
      '15',
      '93.3',
      '311',
      '1282',
    ]);
  });
});
