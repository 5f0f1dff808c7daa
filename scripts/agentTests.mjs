// npm run test:agents — prepares the clone, installs the pinned agents, and runs test/agents on the real command lines; only
// the model's service stands in. Some start the agent in a real editor. A missing agent skips its tests, which CI=true makes a failure. --grep TEXT selects tests,
// --only VERSION one version. RECORD_FRAMES=1 writes what the agents said to test/contract/claude/frames.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installClaude } from './agents/installClaude.mjs';
import { mochaCommand } from './agents/mochaCommand.mjs';
import { claudeVersions } from './agents/versions.mjs';
import { createTerminal } from './console/terminal.mjs';
import { installEditor } from './editorHost/install.mjs';
import { needChromium } from './editorHost/systemPackages.mjs';
import { packageExtension } from './package.mjs';
import { pinnedEnv } from './install/pinnedNode.mjs';
import { prepare, reportFailure } from './prepare.mjs';
import { CommandFailed, endAll, endOnSignals, runCommand } from './process/processes.mjs';
import { withTempFolder } from './process/withTempFolder.mjs';
import { projectRoot } from './projectRoot.mjs';
import { beginRecord } from './suites/results.mjs';
import { parseCounts, sumOutcomes } from './suites/summary.mjs';

const help = 'Usage: npm run test:agents [-- --grep TEXT] [--only VERSION]';
const minutes = 15;
const strict = !['', '0', 'false', undefined].includes(process.env.CI);

/** Where the editor and the browser are in which some agents are started by hand, with the extension as it is now. */
async function editorEnv(terminal) {
  const editor = await installEditor(terminal);
  if (!editor.ok) throw new CommandFailed(editor.reason, '');
  const chromium = await needChromium(terminal);
  if (!chromium.ok) throw new CommandFailed(chromium.reason, '');
  await packageExtension(terminal);
  return { CODE_SERVER_DIR: editor.codeServer, CHROMIUM: chromium.file };
}

async function runSuite({ program, version, grep, env }) {
  return withTempFolder(os.tmpdir(), 'tn-counts-', async folder => {
    const [countsFile, titlesFile] = ['counts.json', 'titles.json'].map(name => path.join(folder, name));
    const record = beginRecord(`agents-claude-${version}`, { grep });
    const { command, args } = mochaCommand('test/agents', grep);
    let reason;
    try {
      await runCommand(command, args, {
        cwd: projectRoot,
        env: {
          ...pinnedEnv(),
          ...env,
          TERMINULL_CLAUDE: program,
          TERMINULL_CLAUDE_VERSION: version,
          TERMINULL_COUNTS: countsFile,
          TERMINULL_TITLES: titlesFile,
        },
        show: true,
        deadlineMs: minutes * 60_000,
      });
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      reason = error.message;
    }
    record.keep(titlesFile);
    const counts = readCounts(countsFile);
    if (counts === undefined) reason ??= 'it ended without saying how many tests ran';
    else if (counts.passed + counts.failed === 0) reason ??= 'no test ran';
    return { passed: 0, failed: 0, ...counts, outcome: reason === undefined ? 'passed' : 'failed', reason };
  });
}

function readCounts(file) {
  try {
    return parseCounts(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

async function run(terminal, { grep, only }) {
  const versions = claudeVersions.filter(version => only === undefined || version === only);
  if (versions.length === 0) throw new CommandFailed(`--only knows ${claudeVersions.join(', ')}.`, help);
  await prepare(terminal);
  const env = await editorEnv(terminal);
  const outcomes = [];
  for (const version of versions) {
    terminal.heading(`Claude Code ${version}`);
    const claude = await installClaude(version, terminal);
    if (claude.ok) {
      outcomes.push(await runSuite({ program: claude.program, version, grep, env }));
      continue;
    }
    terminal.warn(claude.reason);
    outcomes.push({ passed: 0, failed: 0, outcome: strict ? 'failed' : 'skipped' });
  }
  const { passed, failed } = sumOutcomes(outcomes);
  terminal.line();
  for (const { reason } of outcomes) if (reason !== undefined) terminal.fail(reason);
  terminal.line(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

const terminal = createTerminal();
endOnSignals({ onStop: () => terminal.halt('Stopping…') });
try {
  const { values } = parseArgs({
    options: { grep: { type: 'string' }, only: { type: 'string' }, help: { type: 'boolean' } },
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
