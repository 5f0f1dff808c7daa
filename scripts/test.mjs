// npm test — prepares the clone, then runs every row of suites/table.mjs and sums up. `--only unit,host` selects rows (and what
// they need), `--grep TEXT` selects tests. With CI=true a row that cannot run is a failure.
import { parseArgs } from 'node:util';
import { createTerminal, formatDuration } from './console/terminal.mjs';
import { installEditor } from './editorHost/install.mjs';
import { needChromium } from './editorHost/systemPackages.mjs';
import { prepare, reportFailure } from './prepare.mjs';
import { CommandFailed, endAll, endOnSignals } from './process/processes.mjs';
import { isStrict } from './suites/isStrict.mjs';
import { runRow } from './suites/runRow.mjs';
import { sumOutcomes, summaryLines } from './suites/summary.mjs';
import { selectRows, table } from './suites/table.mjs';

const help = `Usage: npm test [-- --only NAMES] [--grep TEXT]

  --only NAMES  run only these, separated by commas, and what they need:
                ${table.map(row => row.name).join(', ')}
  --grep TEXT   run only tests whose title matches
  --help        show this text`;

/** Finds or installs what comes from outside the project, once each. */
function createResources(terminal) {
  const found = new Map();
  const find = {
    editor: async () => {
      const editor = await installEditor(terminal);
      return editor.ok ? { ok: true, env: { CODE_SERVER_DIR: editor.codeServer } } : editor;
    },
    chromium: async () => {
      const chromium = await needChromium(terminal);
      return chromium.ok ? { ok: true, env: { CHROMIUM: chromium.file } } : chromium;
    },
  };
  return name => {
    if (!found.has(name)) found.set(name, find[name]());
    return found.get(name);
  };
}

function printSummary(terminal, outcomes, ms) {
  const { paint } = terminal;
  const colours = { passed: paint.green, failed: paint.red, skipped: paint.yellow };
  terminal.heading(`Summary (${formatDuration(ms)})`);
  summaryLines(outcomes).forEach((text, index) => {
    const { outcome } = outcomes[index];
    terminal.line(`  ${text.replace(outcome, colours[outcome](outcome))}`);
  });
  const { passed, failed } = sumOutcomes(outcomes);
  terminal.line();
  terminal.line(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

async function run(terminal, options) {
  const { rows, unknown } = selectRows(options.only);
  if (unknown.length > 0 || rows.length === 0) {
    throw new CommandFailed(`--only does not know ${unknown.join(', ') || 'an empty list'}.`, help);
  }
  if (options.grep !== undefined) process.env.MOCHA_GREP = options.grep;
  const begun = performance.now();
  await prepare(terminal);
  const resource = createResources(terminal);
  const outcomes = new Map();
  for (const row of rows) {
    terminal.heading(`${row.title} (${row.name})`);
    const outcome = await runRow(row, { outcomes, strict: isStrict(), resource });
    outcomes.set(row.name, outcome);
    const detail = outcome.reason ?? (row.counts ? '' : formatDuration(outcome.ms));
    if (detail !== '') terminal.line(`${outcome.outcome === 'passed' ? 'ok' : outcome.outcome}: ${detail}`);
  }
  printSummary(terminal, [...outcomes.values()], performance.now() - begun);
}

const terminal = createTerminal();
endOnSignals({ onStop: () => terminal.halt('Stopping…') });
try {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, grep: { type: 'string' }, help: { type: 'boolean' } },
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
