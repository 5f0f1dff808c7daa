// Makes a fresh clone ready to build, test and start: installs the packages when they are missing or older than the lock file.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTerminal } from './console/terminal.mjs';
import { isInstalled, lockStamp } from './install/lockStamp.mjs';
import { findNpm } from './install/npm.mjs';
import { findNodeHeaders, pinnedNode } from './install/pinnedNode.mjs';
import { isMain } from './process/isMain.mjs';
import { CommandFailed, endOnSignals, runCommand, Stopped } from './process/processes.mjs';
import { projectRoot } from './projectRoot.mjs';

const leastNode = [20, 19];
const stampFile = path.join(projectRoot, 'node_modules', '.cache', 'terminull', 'lock-stamp');
const installedFile = path.join(projectRoot, 'node_modules', '.package-lock.json');
const readText = file => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

function isReady(lockText, stamp) {
  if (!existsSync(pinnedNode)) return false;
  if (readText(stampFile) === stamp) return true;
  const installed = readText(installedFile);
  return installed !== undefined && isInstalled(lockText, installed);
}

async function npm(args) {
  const { command, args: first } = findNpm();
  const headers = findNodeHeaders();
  const env = { ...process.env, ...(headers === undefined ? {} : { npm_config_nodedir: headers }) };
  for (const name of ['npm_config_global', 'npm_config_prefix', 'npm_config_omit', 'NODE_ENV'])
    delete env[name];
  try {
    await runCommand(command, [...first, ...args, '--no-audit', '--no-fund'], { cwd: projectRoot, env });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw new CommandFailed(`npm ${args[0]} could not install the packages. Its last words:`, error.tail);
  }
}

/**
 * Installs what the lock file asks for, if it is not there yet, and makes sure that the pinned Node can run.
 * Throws CommandFailed with npm's own last words when that fails.
 */
export async function prepare(terminal = createTerminal()) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1])) {
    throw new CommandFailed(
      `Node ${leastNode.join('.')} or newer is needed; this is ${process.version}.`,
      '',
    );
  }
  const lockText = readFileSync(path.join(projectRoot, 'package-lock.json'), 'utf8');
  const stamp = lockStamp(lockText);
  if (!isReady(lockText, stamp)) {
    await terminal.step('Installing packages (about a minute)', () => npm(['ci', '--include=dev']));
  }
  if (!existsSync(pinnedNode)) {
    // npm was told not to run install scripts; this one package brings the Node everything else runs on.
    await terminal.step('Fetching the pinned Node', () =>
      npm(['rebuild', 'node', 'esbuild', '--ignore-scripts=false', '--foreground-scripts']),
    );
  }
  await runCommand(pinnedNode, ['--version'], { deadlineMs: 30_000 });
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/** Ends a script on an expected failure in plain words; anything else is a bug and keeps its stack. */
export function reportFailure(error, terminal = createTerminal()) {
  if (error instanceof Stopped) return;
  if (error instanceof CommandFailed) {
    terminal.fail(error.message);
    if (error.tail) terminal.line(error.tail.split('\n').slice(-25).join('\n'));
  } else {
    console.error(error);
  }
  process.exitCode = 1;
}

if (isMain(import.meta.url)) {
  endOnSignals();
  await prepare().catch(error => reportFailure(error));
}
