import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { log } from './log.ts';

type Outcome = 'passed' | 'failed' | 'pending';

// Set by the editor's loader for CommonJS modules, which is what this file is bundled to.
declare const __dirname: string;

function addTestsIn(folder: string, mocha: Mocha): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) addTestsIn(place, mocha);
    else if (entry.name.endsWith('.test.cjs')) mocha.addFile(place);
  }
}

/** Gathers each test's full title by what it came to; `write` leaves them where TERMINULL_TITLES says. */
function gatherTitles(folder: string): { take(outcome: Outcome): (test: Mocha.Test) => void; write(): void } {
  const titles: Record<Outcome, { title: string; file: string }[]> = { passed: [], failed: [], pending: [] };
  return {
    take: outcome => test => {
      const file = path.relative(folder, test.file ?? '').replace(/\.cjs$/, '.ts');
      titles[outcome].push({ title: test.fullTitle(), file: `test/host/${file}` });
    },
    write: () => {
      const file = process.env.TERMINULL_TITLES;
      if (file !== undefined && file !== '') writeFileSync(file, JSON.stringify(titles));
    },
  };
}

/**
 * Runs the bundled tests of this folder inside the extension host; the editor calls it. The last line it prints has the counts:
 * whoever started the editor insists on it, because a host that is killed looks like success. Rejects when a test failed.
 */
export async function run(): Promise<void> {
  Mocha.reporters.Base.consoleLog = log;
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 30_000,
    color: false,
    forbidOnly: true,
    forbidPending: true,
  });
  const pattern = process.env.MOCHA_GREP;
  if (pattern !== undefined && pattern !== '') mocha.grep(pattern);
  addTestsIn(__dirname, mocha);
  let passed = 0;
  const titles = gatherTitles(__dirname);
  const failures = await new Promise<number>(resolve => {
    const runner = mocha.run(resolve).on('pass', () => (passed += 1));
    runner.on('pass', titles.take('passed')).on('fail', titles.take('failed'));
    runner.on('pending', titles.take('pending'));
  });
  titles.write();
  log(`SUITE DONE tests=${passed + failures} failures=${failures}`);
  if (failures > 0) throw new Error(`${failures} failed in the extension host`);
}
