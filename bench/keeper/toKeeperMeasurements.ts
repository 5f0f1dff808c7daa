import { limits } from '../limits.ts';
import type { Measurement } from '../report/benchRow.ts';
import { percentile } from '../report/percentile.ts';
import type { ProcessMemory } from './processMemory.ts';

export interface KeeperSamples {
  /** From the start of `node -e 0` to its end, in milliseconds. */
  readonly bareMs: readonly number[];
  /** From the start of a keeper to its welcome, in milliseconds. */
  readonly pipesMs: readonly number[];
  readonly terminalMs: readonly number[];
  readonly memory: Readonly<Record<'pipes' | 'terminal' | 'attach', ProcessMemory | undefined>>;
}

const median = 0.5;

export function toKeeperMeasurements(samples: KeeperSamples): readonly Measurement[] {
  const bare = percentile(samples.bareMs, median);
  const start = (name: string, all: readonly number[], what: string): Measurement => {
    const own = percentile(all, median);
    const isMeasured = own !== undefined && bare !== undefined;
    return {
      name: `keeper.start.${name}`,
      value: isMeasured ? own / bare : undefined,
      unit: 'times',
      limit: limits.timesBareStart,
      note: isMeasured
        ? `${what}: ${own.toFixed(0)} ms to its welcome, node -e 0 ${bare.toFixed(0)} ms`
        : 'no sample',
    };
  };
  const memory = (name: keyof KeeperSamples['memory'], limit: number, what: string): Measurement => {
    const found = samples.memory[name];
    return {
      name: `keeper.memory.${name}`,
      value: found?.resident,
      unit: 'MiB',
      limit,
      note:
        found === undefined ? 'the system does not tell' : `${what}, ${found.shared.toFixed(0)} by its share`,
    };
  };
  return [
    start('pipes', samples.pipesMs, 'an agent on pipes'),
    start('terminal', samples.terminalMs, 'an agent in a terminal'),
    memory('pipes', limits.pipeKeeperMiB, 'keeper of an agent on pipes'),
    memory('terminal', limits.terminalKeeperMiB, 'keeper of a terminal'),
    memory('attach', limits.attachMiB, 'the program in the editor’s terminal'),
  ];
}
