// Runs the measures one after the other, prints one table and, if asked, writes it as JSON. `npm run bench` starts it with what
// it needs: a production build (--built), and an editor and a browser or the reason why there is none.
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { createTerminal } from '../scripts/console/terminal.mjs';
import { endAll, endOnSignals } from '../scripts/process/processes.mjs';
import { measureActivation } from './activation/measureActivation.ts';
import { measureBundles } from './bundles/measureBundles.ts';
import { measureJournal } from './journal/measureJournal.ts';
import { measureKeeper } from './keeper/measureKeeper.ts';
import { measureLatency } from './latency/measureLatency.ts';
import { exitCodeFor } from './report/exitCodeFor.ts';
import { isOver, toBenchRow, type Measurement } from './report/benchRow.ts';
import { benchTable } from './report/benchTable.ts';

const terminal = createTerminal();
const stop = new AbortController();
endOnSignals({ onStop: () => stop.abort() });
const { values } = parseArgs({
  options: {
    built: { type: 'string' },
    only: { type: 'string', default: 'activate,bundles,journal,keeper,latency' },
    json: { type: 'string' },
    strict: { type: 'boolean', default: false },
  },
});
const { built } = values;
if (built === undefined) throw new Error('--built is missing; npm run bench names the build to measure.');
const noEditor = process.env.TERMINULL_BENCH_NO_EDITOR;

/** In the order of the table: what needs a quiet machine comes first. */
const measures: readonly {
  readonly name: string;
  readonly title: string;
  readonly run: () => readonly Measurement[] | Promise<readonly Measurement[]>;
}[] = [
  {
    name: 'activate',
    title: 'Activating the extension in a real editor (a minute or two)',
    run: () => (noEditor === undefined ? measureActivation(built) : Promise.reject(new Error(noEditor))),
  },
  {
    name: 'journal',
    title: 'Writing and reading the record of a session (about half a minute)',
    // The folder of the build is removed whatever happens.
    run: () => measureJournal(dirname(built)),
  },
  {
    name: 'keeper',
    title: 'Starting keepers and weighing them (about ten seconds)',
    run: () => measureKeeper(built),
  },
  { name: 'bundles', title: 'Weighing what is shipped', run: () => measureBundles(built) },
  {
    name: 'latency',
    title: 'Prompting an agent from a phone (about half a minute)',
    run: () => measureLatency(built),
  },
];

const chosen = new Set(values.only.split(','));
const measurements: Measurement[] = [];
for (const { name, title, run } of measures) {
  if (stop.signal.aborted || !chosen.has(name)) continue;
  try {
    measurements.push(...(await terminal.step(title, async () => await run())));
  } catch (error) {
    const note = error instanceof Error ? error.message : String(error);
    measurements.push({ name, value: undefined, unit: name === 'bundles' ? 'KiB' : 'ms', note });
  }
}

function report(): void {
  terminal.line();
  for (const line of benchTable(measurements)) terminal.line(line);
  terminal.line();
  terminal.line(
    'A ratio is value / limit. Times depend on the machine and what else it does: no test asserts them.',
  );
  const rows = measurements.map(toBenchRow);
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
    terminal.line(`Written to ${values.json}`);
  }
  if (rows.some(({ value }) => value === null)) terminal.line('Not everything could be measured.');
  if (values.strict && rows.some(isOver)) terminal.line('A limit is exceeded, and --strict is given.');
  process.exitCode = exitCodeFor(rows, { strict: values.strict });
}

if (!stop.signal.aborted) report();
await endAll();
