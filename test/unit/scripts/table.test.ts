import assert from 'node:assert/strict';
import { selectRows, table } from '../../../scripts/suites/table.mjs';

const names = (only: string | undefined): string[] => selectRows(only).rows.map(row => row.name);

describe('the table of suites', () => {
  it('runs every row when none is named', () => {
    assert.deepEqual(
      names(undefined),
      table.map(row => row.name),
    );
  });

  it('adds what a named suite needs, and keeps the order of the table', () => {
    assert.deepEqual(names('host, unit'), ['build', 'unit', 'package', 'host']);
  });

  it('says which names it does not know', () => {
    assert.deepEqual(selectRows('unit,nonsense').unknown, ['nonsense']);
    assert.deepEqual(selectRows('').rows, []);
  });

  it('needs only rows that come earlier, or resources', () => {
    const resources = ['editor', 'chromium'];
    table.forEach((row, index) => {
      const earlier = table.slice(0, index).map(other => other.name);
      for (const need of row.needs)
        assert.ok([...earlier, ...resources].includes(need), `${row.name} needs ${need}`);
    });
  });
});
