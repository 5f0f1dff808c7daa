import assert from 'node:assert/strict';
import { limits } from '../../../bench/limits.ts';
import { processMemory } from '../../../bench/keeper/processMemory.ts';
import { toKeeperMeasurements } from '../../../bench/keeper/toKeeperMeasurements.ts';

describe('what a keeper costs', () => {
  it('is told in times of a bare start, by the medians', () => {
    const rows = toKeeperMeasurements({
      bareMs: [50, 10, 40],
      pipesMs: [80, 900, 100],
      terminalMs: [200, 160, 240],
      memory: {
        pipes: { resident: 50, shared: 14 },
        terminal: undefined,
        attach: { resident: 40, shared: 9 },
      },
    });
    assert.deepEqual(
      rows.map(({ name, value, limit }) => [name, value, limit]),
      [
        ['keeper.start.pipes', 2.5, limits.timesBareStart],
        ['keeper.start.terminal', 5, limits.timesBareStart],
        ['keeper.memory.pipes', 50, limits.pipeKeeperMiB],
        ['keeper.memory.terminal', undefined, limits.terminalKeeperMiB],
        ['keeper.memory.attach', 40, limits.attachMiB],
      ],
    );
    assert.match(rows[2]?.note ?? '', /14 by its share/);
  });

  it('is not measured where there are no samples', () => {
    const memory = { pipes: undefined, terminal: undefined, attach: undefined };
    const rows = toKeeperMeasurements({ bareMs: [], pipesMs: [1], terminalMs: [], memory });
    assert.deepEqual([...new Set(rows.map(({ value }) => value))], [undefined]);
  });

  it('has the memory of a process, and none of one that is not there', function () {
    if (process.platform !== 'linux') this.skip();
    const own = processMemory(process.pid);
    assert.ok(own !== undefined && own.resident > 10 && own.shared > 1 && own.shared <= own.resident);
    assert.equal(processMemory(0), undefined);
  });
});
