// npm run test:mutation — a title is no proof that a row is met: this breaks the code behind rows drawn at random, in a copy of
// the tree, and ends with 1 unless a test that cites the row turns red for each. It needs the results of npm test.
import { realpathSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { createTerminal } from './console/terminal.mjs';
import { copyTree, sourceFiles } from './mutation/copyTree.mjs';
import { drawRows } from './mutation/drawRows.mjs';
import { proofLines } from './mutation/proofLines.mjs';
import { proveRow } from './mutation/proveRow.mjs';
import { readTestedFunctions } from './mutation/readTestedFunctions.mjs';
import { seededRandom } from './mutation/seededRandom.mjs';
import { prepare, reportFailure } from './prepare.mjs';
import { CommandFailed, endAll, endOnSignals, isEnding } from './process/processes.mjs';
import { withTempFolder } from './process/withTempFolder.mjs';
import { readPages } from './requirements/readPages.mjs';
import { reportRows } from './requirements/report.mjs';
import { readRecords } from './suites/results.mjs';

const help = `Usage: npm run test:mutation [-- --rows N] [--seed N] [--mutants N] [--row ID]

  --rows N     how many rows are drawn (20)
  --seed N     draws the same rows and mutations again
  --mutants N  how many mutations are tried for each row (8)
  --row ID     takes one row instead`;

function wholeNumber(name, text, most) {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new CommandFailed(`--${name} takes a whole number from 1 to ${most}.`, help);
}

/** A row's own seed, so that it meets the same mutations whichever rows are drawn beside it. */
function seedOf(seed, id) {
  return [...id].reduce((mixed, letter) => Math.imul(mixed, 31) + letter.charCodeAt(0), seed);
}

async function run(terminal, values) {
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber('seed', values.seed, 2 ** 31);
  const count = wholeNumber('rows', values.rows, 400);
  const limit = wholeNumber('mutants', values.mutants, 100);
  await prepare(terminal);
  const records = readRecords();
  const { rows } = reportRows(readPages(), records);
  const drawn = drawRows(rows, { count, id: values.row, random: seededRandom(seed) });
  if (drawn.length === 0) {
    throw new CommandFailed(
      'No such row is met by unit, contract or services tests: run npm test first.',
      '',
    );
  }
  terminal.line(`Seed ${seed}: ${drawn.map(({ id }) => id).join(' ')}`);
  let proven = 0;
  await withTempFolder(realpathSync(os.tmpdir()), 'tnm-', async root => {
    const files = sourceFiles();
    copyTree(root);
    const tested = await terminal.step('Finding which tests run which code', () =>
      readTestedFunctions(root, files),
    );
    for (const row of drawn) {
      if (isEnding()) return;
      const random = seededRandom(seedOf(seed, row.id));
      const proof = await proveRow(row, { root, files, tested, limit, random });
      for (const line of proofLines(proof)) terminal.line(line);
      if (proof.by !== undefined) proven += 1;
    }
  });
  terminal.line(`\n${proven} of ${drawn.length} rows proven (seed ${seed})`);
  if (proven < drawn.length) process.exitCode = 1;
}

const terminal = createTerminal();
endOnSignals({ onStop: () => terminal.halt('Stopping…') });
try {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '20' },
      seed: { type: 'string' },
      mutants: { type: 'string', default: '8' },
      row: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) terminal.line(help);
  else await run(terminal, values);
} catch (error) {
  if (error.code?.startsWith?.('ERR_PARSE_ARGS'))
    reportFailure(new CommandFailed(error.message, help), terminal);
  else reportFailure(error, terminal);
} finally {
  await endAll();
}
