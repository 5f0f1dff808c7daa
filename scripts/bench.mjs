// npm run bench — prepares the clone, builds and packs for production, and measures in one run: time in `activate`, what is
// shipped, the record of a session against bare files, what a keeper costs, and what Terminull adds between a prompt on the
// phone and the agent's answer. The measures are in bench/.
import { cpSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createTerminal } from './console/terminal.mjs';
import { shortTempFolder } from './editorHost/editorRoot.mjs';
import { installEditor } from './editorHost/install.mjs';
import { needChromium } from './editorHost/systemPackages.mjs';
import { pinnedEnv, pinnedNode } from './install/pinnedNode.mjs';
import { packageExtension } from './package.mjs';
import { prepare, reportFailure } from './prepare.mjs';
import { CommandFailed, endAll, endOnSignals, runCommand } from './process/processes.mjs';
import { withTempFolder } from './process/withTempFolder.mjs';
import { projectRoot } from './projectRoot.mjs';

const measures = ['activate', 'bundles', 'journal', 'keeper', 'latency'];
const deadlineMs = 15 * 60_000;
const help = `Usage: npm run bench [-- --only NAMES] [--json PATH] [--strict]

  --only NAMES  measure only these, separated by commas: ${measures.join(', ')}
  --json PATH   also write [{name, value, unit, limit, ratio}] there
  --strict      end with 1 when a limit is exceeded
  --help        show this text

Ends with 1 when something could not be measured. Times depend on the machine and what else it does, so no test asserts them.`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      json: { type: 'string' },
      strict: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const names = (values.only ?? measures.join(','))
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
  const unknown = names.filter(name => !measures.includes(name));
  if (unknown.length > 0 || names.length === 0)
    throw new CommandFailed(`--only does not know ${unknown.join(', ') || 'an empty list'}.`, help);
  return { ...values, names };
}

/** Where editor and browser are, or why there is none; the measure says it in its row. */
async function findEditor(terminal) {
  const editor = await installEditor(terminal);
  if (!editor.ok) return { TERMINULL_BENCH_NO_EDITOR: editor.reason };
  const chromium = await needChromium(terminal);
  if (!chromium.ok) return { TERMINULL_BENCH_NO_EDITOR: chromium.reason };
  return { CODE_SERVER_DIR: editor.codeServer, CHROMIUM: chromium.file };
}

async function run(terminal, { names, json, strict }) {
  await prepare(terminal);
  const editor = names.includes('activate') ? await findEditor(terminal) : {};
  await packageExtension(terminal);
  await withTempFolder(shortTempFolder(), 'tn-bench-', async folder => {
    // Measured is a copy: another build may empty dist/ meanwhile.
    const built = path.join(folder, 'dist');
    cpSync(path.join(projectRoot, 'dist'), built, { recursive: true });
    const output = json === undefined ? [] : ['--json', path.resolve(json)];
    const flags = [...output, ...(strict ? ['--strict'] : []), '--built', built, '--only', names.join(',')];
    const program = path.join(projectRoot, 'bench', 'main.ts');
    const env = { ...pinnedEnv(), ...editor };
    try {
      await runCommand(pinnedNode, [program, ...flags], { cwd: projectRoot, env, show: true, deadlineMs });
    } catch (error) {
      // It has said itself what was missing or too much.
      if (!(error instanceof CommandFailed) || !error.message.endsWith('ended with 1')) throw error;
      process.exitCode = 1;
    }
  });
}

const terminal = createTerminal();
endOnSignals({ onStop: () => terminal.halt('Stopping…') });
try {
  const options = readOptions();
  if (options.help) terminal.line(help);
  else await run(terminal, options);
} catch (error) {
  if (error.code?.startsWith?.('ERR_PARSE_ARGS'))
    reportFailure(new CommandFailed(error.message, help), terminal);
  else reportFailure(error, terminal);
} finally {
  await endAll();
}
