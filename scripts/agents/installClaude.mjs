// Installs a pinned Claude Code from npm into a cache shared by all clones. It is proprietary: it is used as its users use it,
// from npm, and never copied into the project.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTerminal } from '../console/terminal.mjs';
import { cacheFolder } from '../editorHost/cacheFolder.mjs';
import { withFileLock } from '../editorHost/fileLock.mjs';
import { findNpm } from '../install/npm.mjs';
import { pinnedEnv, pinnedNode } from '../install/pinnedNode.mjs';
import { CommandFailed, runCommand } from '../process/processes.mjs';
import { withTempFolder } from '../process/withTempFolder.mjs';

const buildingPrefix = '.building-claude-';
const abandonedMs = 60 * 60_000;
const npmDeadlineMs = 8 * 60_000;
const stampOf = folder => path.join(folder, 'installed.json');

/** Where one version of Claude Code is, whether or not it is there. */
export function claudeFolder(version, env = process.env) {
  return path.join(cacheFolder(env), `claude-code-${version}-${process.platform}-${process.arch}`);
}

/** npm picks the binary of this platform as an optional package; install scripts, which would copy it, do not run. */
function binaryIn(folder) {
  const scope = path.join(folder, 'node_modules', '@anthropic-ai');
  const names = existsSync(scope) ? readdirSync(scope).filter(name => name.startsWith('claude-code-')) : [];
  const program = process.platform === 'win32' ? 'claude.exe' : 'claude';
  const exact = names.filter(name => name === `claude-code-${process.platform}-${process.arch}`);
  return [...exact, ...names]
    .map(name => path.join(scope, name, program))
    .find(candidate => existsSync(candidate));
}

async function build(folder, version) {
  const { command, args } = findNpm(pinnedNode);
  const env = pinnedEnv();
  for (const name of ['npm_config_global', 'npm_config_prefix', 'npm_config_omit', 'NODE_ENV'])
    delete env[name];
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const words = ['install', '--ignore-scripts', '--save-exact', `@anthropic-ai/claude-code@${version}`];
  await runCommand(command, [...args, ...words, '--no-audit', '--no-fund'], {
    env,
    cwd: folder,
    deadlineMs: npmDeadlineMs,
  });
}

/** Throws CommandFailed unless the installed program answers with its version. */
async function verify(folder, version) {
  const program = binaryIn(folder);
  if (program === undefined) throw new CommandFailed('npm brought no program for this machine.', '');
  const answer = await runCommand(program, ['--version'], {
    env: { ...process.env, HOME: folder, USERPROFILE: folder, DISABLE_AUTOUPDATER: '1' },
    deadlineMs: 60_000,
  });
  if (!answer.includes(version)) throw new CommandFailed('It does not answer with its version.', answer);
}

function removeAbandoned(cache) {
  for (const name of readdirSync(cache).filter(found => found.startsWith(buildingPrefix))) {
    const place = path.join(cache, name);
    if (Date.now() - statSync(place).mtimeMs > abandonedMs) rmSync(place, { recursive: true, force: true });
  }
}

/**
 * Makes sure that one version of Claude Code is installed. The pinned Node must be there (`prepare`).
 *
 * @param {string} version
 * @returns {Promise<{ ok: true, program: string } | { ok: false, reason: string }>}
 */
export async function installClaude(version, terminal = createTerminal()) {
  const folder = claudeFolder(version);
  const isComplete = () => existsSync(stampOf(folder)) && binaryIn(folder) !== undefined;
  try {
    mkdirSync(cacheFolder(), { recursive: true });
    const onWait = () =>
      terminal.line(`Another process is installing Claude Code ${version}; waiting for it…`);
    const install = async () => {
      if (isComplete()) return;
      removeAbandoned(cacheFolder());
      await withTempFolder(cacheFolder(), buildingPrefix, async building => {
        await terminal.step(`Installing Claude Code ${version} (about 400 MB, once)`, async () => {
          await build(building, version);
          await verify(building, version);
        });
        writeFileSync(stampOf(building), JSON.stringify({ version }));
        rmSync(folder, { recursive: true, force: true });
        renameSync(building, folder);
      });
    };
    if (!isComplete()) await withFileLock(`${folder}.lock`, install, { onWait });
    return { ok: true, program: binaryIn(folder) };
  } catch (error) {
    if (!(error instanceof CommandFailed) && error.code === undefined) throw error;
    const log = path.join(cacheFolder(), `claude-code-${version}-install.log`);
    writeFileSync(log, `${error.message}\n${error.tail ?? ''}\n`);
    return {
      ok: false,
      reason: `Claude Code ${version} could not be installed (${error.message}); see ${log}.`,
    };
  }
}
