import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { shortTempFolder } from '../../scripts/editorHost/editorRoot.mjs';
import { CommandFailed, runCommand } from '../../scripts/process/processes.mjs';
import type { Measurement } from '../report/benchRow.ts';
import { latencySamples, type LatencySamples } from './latencySamples.ts';
import { toLatencyMeasurements } from './toLatencyMeasurements.ts';

const deadlineMs = 5 * 60_000;
const program = join(import.meta.dirname, 'phoneProgram.ts');

/**
 * From the phone's prompt to the first block of the agent's answer on the phone, with every part a process of its own: one
 * event loop for phone and bridge would add up what runs side by side in life.
 *
 * @param built folder of a production build
 */
export async function measureLatency(built: string): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(shortTempFolder(), 'tn-lat-'));
  const discard = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', discard);
  try {
    return toLatencyMeasurements(await run(built, folder));
  } finally {
    process.off('exit', discard);
    discard();
  }
}

async function run(built: string, folder: string): Promise<LatencySamples> {
  try {
    const said = await runCommand(process.execPath, [program, built, folder], { deadlineMs });
    return latencySamples.parse(jsonValue(said.split('\n').findLast(line => line.startsWith('{')) ?? ''));
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const why = error.tail.split('\n').find(line => /^\w*Error\b/.test(line)) ?? '';
    throw new Error(`${error.message} ${why.trim()}`.trim(), { cause: error });
  }
}
