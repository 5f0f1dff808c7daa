// Installs a real VS Code server and workbench (code-server) from npm into a cache shared by all clones.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createTerminal } from '../console/terminal.mjs';
import { findNpm } from '../install/npm.mjs';
import { findNodeHeaders, pinnedEnv, pinnedNode } from '../install/pinnedNode.mjs';
import { prepare, reportFailure } from '../prepare.mjs';
import { isMain } from '../process/isMain.mjs';
import { CommandFailed, endOnSignals, runCommand } from '../process/processes.mjs';
import { withTempFolder } from '../process/withTempFolder.mjs';
import { cacheFolder, editorFolder } from './cacheFolder.mjs';
import { shortTempFolder } from './editorRoot.mjs';
import { withFileLock } from './fileLock.mjs';
import { needCompiler } from './systemPackages.mjs';
import { codeServerVersion } from './versions.mjs';

// spdlog: without it output channels stay empty. native-watchdog: with it an extension host ends with its server.
const nativeModules = [
  ['@vscode/spdlog', 'spdlog.node'],
  ['@vscode/native-watchdog', 'watchdog.node'],
];
const buildingPrefix = '.building-';
const abandonedMs = 60 * 60_000;
const stampOf = folder => path.join(folder, 'installed.json');
const codeServerIn = folder => path.join(folder, 'node_modules', 'code-server');
const nodeModulesIn = folder => path.join(codeServerIn(folder), 'lib', 'vscode', 'node_modules');

function isComplete(folder) {
  if (!existsSync(stampOf(folder))) return false;
  const stamp = JSON.parse(readFileSync(stampOf(folder), 'utf8'));
  return stamp.platform === process.platform && stamp.arch === process.arch;
}

/** make cannot take a path with a space in it, so the headers get a plain name for as long as it runs. */
function withPlainHeaders(work) {
  return withTempFolder(shortTempFolder(), 'tn-node-', folder => {
    const headers = path.join(folder, 'headers');
    symlinkSync(findNodeHeaders(), headers);
    return work(headers);
  });
}

async function build(folder) {
  const { command, args } = findNpm(pinnedNode);
  const base = pinnedEnv();
  for (const name of ['npm_config_global', 'npm_config_prefix', 'npm_config_omit', 'NODE_ENV'])
    delete base[name];
  const npm = (words, cwd, env = base) =>
    runCommand(command, [...args, ...words, '--no-audit', '--no-fund'], { env, cwd });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  await npm(['install', '--ignore-scripts', '--save-exact', `code-server@${codeServerVersion}`], folder);
  const inner = path.join(codeServerIn(folder), 'lib', 'vscode');
  await npm(['install', '--omit=dev', '--ignore-scripts'], inner);
  const names = nativeModules.map(([name]) => name);
  await withPlainHeaders(headers =>
    npm(['rebuild', '--ignore-scripts=false', '--foreground-scripts', ...names], inner, {
      ...base,
      npm_config_nodedir: headers,
    }),
  );
}

/** Throws CommandFailed unless the installed editor answers with its version and its native modules load. */
async function verify(folder) {
  const entry = path.join(codeServerIn(folder), 'out', 'node', 'entry.js');
  const version = await runCommand(pinnedNode, [entry, '--config', '/dev/null', '--version'], {
    env: { ...process.env, HOME: folder },
    deadlineMs: 60_000,
  });
  if (!version.includes(codeServerVersion))
    throw new CommandFailed('code-server does not answer with its version.', version);
  for (const [name, file] of nativeModules) {
    const binary = path.join(nodeModulesIn(folder), name, 'build', 'Release', file);
    await runCommand(pinnedNode, ['-e', 'require(process.argv[1])', binary], { deadlineMs: 30_000 });
  }
}

function removeAbandoned(cache) {
  for (const name of readdirSync(cache)) {
    const place = path.join(cache, name);
    if (!name.startsWith(buildingPrefix)) continue;
    if (Date.now() - statSync(place).mtimeMs > abandonedMs) rmSync(place, { recursive: true, force: true });
  }
}

async function installNow(terminal, folder) {
  await withTempFolder(cacheFolder(), buildingPrefix, async building => {
    const title = `Installing the editor, code-server ${codeServerVersion} (about a minute, once)`;
    await terminal.step(title, async () => {
      await build(building);
      await verify(building);
    });
    writeFileSync(stampOf(building), JSON.stringify({ platform: process.platform, arch: process.arch }));
    rmSync(folder, { recursive: true, force: true });
    renameSync(building, folder);
  });
}

/**
 * Makes sure that the editor host is installed. The pinned Node must be there (`prepare`).
 *
 * @returns {Promise<{ ok: true, codeServer: string } | { ok: false, reason: string }>}
 */
export async function installEditor(terminal = createTerminal()) {
  const folder = editorFolder();
  const done = { ok: true, codeServer: codeServerIn(folder) };
  if (process.platform === 'win32') return { ok: false, reason: 'code-server does not run on Windows.' };
  if (isComplete(folder)) return done;
  const compiler = await needCompiler(terminal);
  if (!compiler.ok) return compiler;
  try {
    mkdirSync(cacheFolder(), { recursive: true });
    const onWait = () => terminal.line('Another process is installing the editor; waiting for it…');
    await withFileLock(
      `${folder}.lock`,
      async () => {
        if (isComplete(folder)) return;
        removeAbandoned(cacheFolder());
        await installNow(terminal, folder);
      },
      { onWait },
    );
    return done;
  } catch (error) {
    if (error instanceof CommandFailed) {
      const log = path.join(cacheFolder(), 'editor-install.log');
      writeFileSync(log, `${error.message}\n${error.tail}\n`);
      return { ok: false, reason: `The editor could not be installed (${error.message}); see ${log}.` };
    }
    if (error.code === undefined) throw error;
    return { ok: false, reason: `The editor could not be installed in ${cacheFolder()}: ${error.message}` };
  }
}

if (isMain(import.meta.url)) {
  const terminal = createTerminal();
  endOnSignals();
  try {
    await prepare(terminal);
    const editor = await installEditor(terminal);
    if (editor.ok) terminal.line(`The editor is in ${editor.codeServer}`);
    else throw new CommandFailed(editor.reason, '');
  } catch (error) {
    reportFailure(error, terminal);
  }
}
