// npm run test:nightly — the laws of the protocol with 10,000 runs each, and a million mutated frames for each decoder; then how
// much of the decoders that reached. --frames N and --runs N make it shorter. A failure prints its seed.
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createTerminal } from './console/terminal.mjs';
import { pinnedEnv, pinnedNode } from './install/pinnedNode.mjs';
import { branchCoverage } from './nightly/branchCoverage.mjs';
import { prepare, reportFailure } from './prepare.mjs';
import { CommandFailed, endAll, endOnSignals, runCommand } from './process/processes.mjs';
import { withTempFolder } from './process/withTempFolder.mjs';
import { projectRoot } from './projectRoot.mjs';

const help = 'Usage: npm run test:nightly [-- --frames N] [--runs N] [--seed N]';
const hours = 2;
const properties = [
  'test/unit/{bridge,channel,crypto,phone,protocol,relay,session}/**/*.test.ts',
  'test/unit/keeper/keeperFrame.test.ts',
  'test/contract/{protocol,crypto,claude}/**/*.test.ts',
];
/** What takes bytes from others. */
const decoders = [
  /^core\/protocol\/(parseJson|base64|base64Text)\.ts$/,
  /^core\/protocol\/envelope\//,
  /^core\/protocol\/block\/(receivedBlock|toolBlocks)\.ts$/,
  /^core\/channel\/applyPatch\.ts$/,
  /^core\/crypto\/pairingFragment\.ts$/,
  /^src\/keeper\/keeperFrame\.ts$/,
];

function wholeNumber(name, text) {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new CommandFailed(`--${name} takes a whole number above 0.`, help);
}

async function run(terminal, values) {
  const frames = wholeNumber('frames', values.frames);
  const runs = wholeNumber('runs', values.runs);
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber('seed', values.seed);
  await prepare(terminal);
  terminal.heading(`Laws (${runs} runs each) and decoders (${frames} frames each), seed ${seed}`);
  await withTempFolder(os.tmpdir(), 'tn-night-', async folder => {
    const mocha = path.join(projectRoot, 'node_modules', 'mocha', 'bin', 'mocha.js');
    const setup = path.join(projectRoot, 'test', 'fakes', 'nightlyRuns.ts');
    const flags = ['--no-config', '--no-package', '--timeout', String(hours * 3_600_000), '--require', setup];
    await runCommand(pinnedNode, [mocha, ...flags, '--reporter', 'dot', ...properties], {
      cwd: projectRoot,
      env: {
        ...pinnedEnv(),
        TERMINULL_FUZZ: String(frames),
        TERMINULL_FUZZ_SEED: String(seed),
        TERMINULL_RUNS: String(runs),
        NODE_V8_COVERAGE: folder,
      },
      show: true,
      deadlineMs: hours * 3_600_000,
    });
    terminal.heading('Branches of the decoders that were taken');
    for (const { file, taken, all } of branchCoverage(folder, projectRoot, decoders))
      terminal.line(
        `  ${String(Math.round((taken / all) * 100)).padStart(3)} %  ${file} (${taken} of ${all})`,
      );
  });
}

const terminal = createTerminal();
endOnSignals({ onStop: () => terminal.halt('Stopping…') });
try {
  const { values } = parseArgs({
    options: {
      frames: { type: 'string', default: '1000000' },
      runs: { type: 'string', default: '10000' },
      seed: { type: 'string' },
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
