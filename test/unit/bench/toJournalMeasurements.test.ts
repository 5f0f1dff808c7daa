import assert from 'node:assert/strict';
import { toJournalMeasurements, type JournalSamples } from '../../../bench/journal/toJournalMeasurements.ts';

const samples: JournalSamples = {
  appends: { journalMs: [9, 3, 6], bareMs: [2, 9, 1], entries: 1_000 },
  flushed: { journalMs: [30], bareMs: [20], entries: 1_000 },
  replays: { replayMs: [8], restoreMs: [20], bareMs: [4], bytes: 1 },
  open: { ms: 5, readBytes: 3 * 1_048_576, extraBytes: 65 * 1_048_576, told: 200 },
  longBytes: 600_000_000,
};

describe('what is measured of the record of a session [F12]', () => {
  it('is medians of one run against each other, and what opening takes in MiB', () => {
    assert.deepEqual(
      toJournalMeasurements(samples).map(({ name, value, unit }) => [name, value, unit]),
      [
        ['journal.append', 6, 'µs'],
        ['journal.timesBareAppend', 3, 'times'],
        ['journal.timesBareFlush', 1.5, 'times'],
        ['journal.timesBareReplay', 2, 'times'],
        ['journal.timesBareRestore', 5, 'times'],
        ['journal.openRead', 3, 'MiB'],
        ['journal.openMemory', 65, 'MiB'],
        ['journal.open', 5, 'ms'],
      ],
    );
  });

  it('says how long the session was, and is not measured where there is no sample', () => {
    const found = toJournalMeasurements({ ...samples, replays: { ...samples.replays, bareMs: [] } });
    const replay = found.find(({ name }) => name === 'journal.timesBareReplay');
    assert.ok(replay !== undefined && replay.value === undefined);
    assert.match(found.find(({ name }) => name === 'journal.openRead')?.note ?? '', /of 600 MB/);
  });
});
