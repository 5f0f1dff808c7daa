import { readFileSync } from 'node:fs';

const kibPerMib = 1024;

/** In MiB. `shared` counts what several processes use by their shares: what one more of them costs. */
export interface ProcessMemory {
  readonly resident: number;
  readonly shared: number;
}

/** @returns undefined where the system does not tell (it takes Linux), or once the process has ended */
export function processMemory(pid: number): ProcessMemory | undefined {
  try {
    const text = readFileSync(`/proc/${String(pid)}/smaps_rollup`, 'utf8');
    const mib = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / kibPerMib;
    return { resident: mib('Rss'), shared: mib('Pss') };
  } catch {
    return undefined;
  }
}
