// npm run requirements — tells from the tests that really ran which rows of docs/requirements.md are met and which are open.
// It ends with 1 when a test cites an id that no page has, with 2 when no results are there.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createTerminal } from './console/terminal.mjs';
import { reportFailure } from './prepare.mjs';
import { CommandFailed } from './process/processes.mjs';
import { resultAges } from './requirements/ages.mjs';
import { ageLines, letterLines, openLines, rowLines, unknownLines } from './requirements/lines.mjs';
import { readPages } from './requirements/readPages.mjs';
import { byLetter, reportRows } from './requirements/report.mjs';
import { readRecords } from './suites/results.mjs';
import { sourceState } from './suites/sourceState.mjs';
import { table } from './suites/table.mjs';

const help = `Usage: npm run requirements [-- --open] [--row ID] [--json PATH]

  --open       list the rows that are not met, with their text
  --row ID     show the tests behind one row
  --json PATH  write all of it to a file`;
const suites = [...table.filter(row => row.tests !== undefined).map(row => row.name), 'agents'];

function findRow(reports, id) {
  const found = reports.find(({ row }) => row.id === id);
  if (found === undefined) throw new CommandFailed(`No page has a row ${id}.`, help);
  return found;
}

function run(terminal, { open, row, json }) {
  const records = readRecords();
  if (records.length === 0) {
    terminal.fail('No test results are there: run npm test first.');
    process.exitCode = 2;
    return;
  }
  const { rows, unknown } = reportRows(readPages(), records);
  const letters = byLetter(rows);
  const ages = resultAges(records, { suites, state: sourceState(), now: Date.now() });
  const print = lines => lines.forEach(line => terminal.line(line));
  if (row !== undefined) print(rowLines(findRow(rows, row)));
  else print(open ? openLines(rows) : letterLines(letters));
  if (unknown.length > 0) {
    terminal.heading('Cited, and in no page');
    print(unknownLines(unknown));
    process.exitCode = 1;
  }
  terminal.heading('Results');
  print(ageLines(ages));
  if (json === undefined) return;
  mkdirSync(path.dirname(path.resolve(json)), { recursive: true });
  writeFileSync(json, `${JSON.stringify({ letters, rows, unknown, results: ages }, undefined, 2)}\n`);
}

const terminal = createTerminal();
try {
  const { values } = parseArgs({
    options: {
      open: { type: 'boolean' },
      row: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) terminal.line(help);
  else run(terminal, values);
} catch (error) {
  if (error.code?.startsWith?.('ERR_PARSE_ARGS'))
    reportFailure(new CommandFailed(error.message, help), terminal);
  else reportFailure(error, terminal);
}
