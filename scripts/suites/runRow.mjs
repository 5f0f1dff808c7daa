import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pinnedEnv } from '../install/pinnedNode.mjs';
import { CommandFailed, runCommand } from '../process/processes.mjs';
import { withTempFolder } from '../process/withTempFolder.mjs';
import { projectRoot } from '../projectRoot.mjs';
import { beginRecord } from './results.mjs';
import { parseCounts } from './summary.mjs';
import { testFiles } from './testFiles.mjs';

const nothing = { passed: 0, failed: 0, ms: 0 };

function readCounts(file) {
  try {
    return parseCounts(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

async function execute(row, env, folder, results) {
  const begun = performance.now();
  const [countsFile, titlesFile] = ['counts.json', 'titles.json'].map(name => path.join(folder, name));
  const record = row.tests && beginRecord(row.name, { grep: process.env.MOCHA_GREP, folder: results });
  let reason;
  try {
    const { command, args } = row.run();
    await runCommand(command, args, {
      cwd: projectRoot,
      env: { ...pinnedEnv(), ...env, TERMINULL_COUNTS: countsFile, TERMINULL_TITLES: titlesFile },
      show: true,
      deadlineMs: row.minutes * 60_000,
    });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    reason = error.message;
  }
  const ms = performance.now() - begun;
  record?.keep(titlesFile);
  const counts = row.counts ? readCounts(countsFile) : { passed: 0, failed: 0 };
  if (counts === undefined) reason ??= 'it ended without saying how many tests ran';
  else if (row.counts && counts.passed + counts.failed === 0) reason ??= 'no test ran';
  else if (counts.failed > 0) reason = '';
  const outcome = reason === undefined ? 'passed' : 'failed';
  return { name: row.name, passed: 0, failed: 0, ...counts, ms, outcome, ...(reason ? { reason } : {}) };
}

/**
 * Runs one row of the table, or says why it cannot run: a suite without tests fails, one whose needs failed fails with it, and
 * one that lacks a resource is skipped — which `strict` makes a failure.
 *
 * @param {import('./table.mjs').Row} row
 * @param {{ outcomes: Map<string, import('./summary.mjs').Outcome>, strict: boolean,
 *   resource: (name: string) => Promise<{ ok: true, env: NodeJS.ProcessEnv } | { ok: false, reason: string }>,
 *   results?: string }} context `results`: the folder that keeps what each test came to
 * @returns {Promise<import('./summary.mjs').Outcome>}
 */
export async function runRow(row, { outcomes, strict, resource, results }) {
  const refuse = (outcome, reason) => ({ name: row.name, ...nothing, outcome, reason });
  if (row.tests !== undefined && testFiles(path.join(projectRoot, row.tests)).length === 0) {
    return refuse('failed', `there are no tests in ${row.tests}`);
  }
  let env = {};
  for (const need of row.needs) {
    const earlier = outcomes.get(need);
    if (earlier !== undefined) {
      if (earlier.outcome !== 'passed') return refuse('failed', `not run: ${need} ${earlier.outcome}`);
      continue;
    }
    const found = await resource(need);
    if (!found.ok) return refuse(strict ? 'failed' : 'skipped', found.reason);
    env = { ...env, ...found.env };
  }
  return withTempFolder(os.tmpdir(), 'tn-counts-', folder => execute(row, env, folder, results));
}
