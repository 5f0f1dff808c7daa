import { limits } from '../limits.ts';
import type { Measurement } from '../report/benchRow.ts';
import { percentile } from '../report/percentile.ts';
import type { OpenCost } from './openCost.ts';
import type { AppendTimes } from './timeAppends.ts';
import type { ReplayTimes } from './timeReplays.ts';

const bytesPerMiB = 1_048_576;

export interface JournalSamples {
  readonly appends: AppendTimes;
  /** The same, with a wait for the disk at the end of each turn. */
  readonly flushed: AppendTimes;
  readonly replays: ReplayTimes;
  readonly open: OpenCost;
  /** Of the session that was opened. */
  readonly longBytes: number;
}

/** Ratios are between medians of one run, whose rounds alternate: a busy machine slows both. */
export function toJournalMeasurements(samples: JournalSamples): readonly Measurement[] {
  const { appends, flushed, replays, open, longBytes } = samples;
  const median = (values: readonly number[]): number => percentile(values, 0.5) ?? NaN;
  const times = (name: string, value: number, limit: number | undefined, note: string): Measurement => ({
    name: `journal.${name}`,
    value: Number.isFinite(value) ? value : undefined,
    unit: 'times',
    ...(limit === undefined ? {} : { limit }),
    note,
  });
  const perEntryUs = (median(appends.journalMs) / appends.entries) * 1000;
  const megabytes = `${String(Math.round(longBytes / 1_000_000))} MB`;
  return [
    { name: 'journal.append', value: perEntryUs, unit: 'µs', note: 'one block of about 1.5 KB, not flushed' },
    times(
      'timesBareAppend',
      median(appends.journalMs) / median(appends.bareMs),
      limits.timesBareAppend,
      'append / the same bytes in as many writes to a bare file',
    ),
    times(
      'timesBareFlush',
      median(flushed.journalMs) / median(flushed.bareMs),
      limits.timesBareFlush,
      'the same with fsync after every turn (35 blocks)',
    ),
    times(
      'timesBareReplay',
      median(replays.replayMs) / median(replays.bareMs),
      limits.timesBareReplay,
      'history from the first block on / bare read and JSON.parse',
    ),
    times(
      'timesBareRestore',
      median(replays.restoreMs) / median(replays.bareMs),
      undefined,
      'a start without a checkpoint, state and all / the same',
    ),
    {
      name: 'journal.openRead',
      value: open.readBytes / bytesPerMiB,
      unit: 'MiB',
      limit: limits.openReadMiB,
      note: `read of ${megabytes}, 11 MB of it one foreign line, before the first content`,
    },
    {
      name: 'journal.openMemory',
      value: open.extraBytes / bytesPerMiB,
      unit: 'MiB',
      limit: limits.openMemoryMiB,
      note: `peak above the process’s own, ${String(open.told)} blocks shown`,
    },
    { name: 'journal.open', value: open.ms, unit: 'ms', note: 'until that content is there' },
  ];
}
