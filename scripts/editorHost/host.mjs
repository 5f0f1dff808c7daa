// A real VS Code server and workbench (code-server) on loopback, and a headless browser in front of it.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pinnedNode } from '../install/pinnedNode.mjs';
import { CommandFailed, runCommand, startService } from '../process/processes.mjs';
import { requireVariable } from './env.mjs';

const listening = /HTTP server listening on (http:\/\/127\.0\.0\.1:(\d+))\//;
const logBytes = 200_000;

// PORT and PASSWORD would overrule the command line; npm's variables are of no concern to an editor.
const unwanted = /^(VSCODE_(?!TEST)|ELECTRON_|CODE_SERVER_|npm_)|^(PORT|HOST|PASSWORD|HASHED_PASSWORD)$/;

function editorEnv(root, extra) {
  const env = { ...process.env, ...extra };
  const isOwnHome = root.home !== undefined;
  for (const name of Object.keys(env)) {
    // XDG_* would lead out of a home of its own.
    if (unwanted.test(name) || (isOwnHome && name.startsWith('XDG_'))) delete env[name];
  }
  return {
    ...env,
    ...(isOwnHome ? { HOME: root.home, USERPROFILE: root.home } : {}),
    ...(root.temp === undefined ? {} : { TMPDIR: root.temp }),
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
  };
}

function editorArgs(root, codeServer) {
  const folders = [
    '--config',
    root.config,
    '--user-data-dir',
    root.data,
    '--extensions-dir',
    root.extensions,
  ];
  return [path.join(codeServer, 'out', 'node', 'entry.js'), ...folders];
}

/** Installs a packaged extension into the root's extensions folder. Throws CommandFailed with the editor's words. */
export async function installVsix(root, vsix, { codeServer = requireVariable('CODE_SERVER_DIR') } = {}) {
  if (!existsSync(vsix)) throw new CommandFailed(`${vsix} does not exist.`, '');
  const args = [...editorArgs(root, codeServer), '--install-extension', vsix, '--force'];
  await runCommand(pinnedNode, args, { env: editorEnv(root, {}), deadlineMs: 120_000 });
}

/**
 * Starts code-server on a port of 127.0.0.1 and waits until it listens.
 *
 * @param {object} root folders from makeEditorRoot, or of the same shape
 * @param {{ codeServer?: string, port?: number, tests?: boolean, asksForTrust?: boolean, env?: NodeJS.ProcessEnv, deadlineMs?: number }} options
 *   `port` 0 takes a free one; with `asksForTrust` (and the setting) a folder is restricted until it is trusted; `tests` lets the page pass `extensionTestsPath` on, and makes the workbench refuse dialogs;
 *   `env` reaches the extension host
 */
export async function startEditor(
  root,
  {
    codeServer = requireVariable('CODE_SERVER_DIR'),
    port = 0,
    tests = false,
    asksForTrust = false,
    env = {},
    deadlineMs = 90_000,
  } = {},
) {
  const flags = ['--auth', 'none', '--disable-telemetry', '--disable-update-check'];
  if (!asksForTrust) flags.push('--disable-workspace-trust');
  const args = [
    ...editorArgs(root, codeServer),
    ...[
      '--bind-addr',
      `127.0.0.1:${port}`,
      ...flags,
      '--disable-getting-started-override',
      '--ignore-last-opened',
    ],
    ...(tests ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
  ];
  const service = startService(pinnedNode, args, { env: editorEnv(root, env) });
  let log = '';
  const address = new Promise(resolve => {
    const read = chunk => {
      log = (log + chunk).slice(-logBytes);
      const match = listening.exec(log);
      if (match !== null) resolve(match);
    };
    service.child.stdout.setEncoding('utf8').on('data', read);
    service.child.stderr.setEncoding('utf8').on('data', read);
  });
  const outcome = await new Promise(resolve => {
    const timer = setTimeout(resolve, deadlineMs, `did not listen within ${deadlineMs / 1000} s`);
    const settle = value => (clearTimeout(timer), resolve(value));
    void address.then(settle);
    void service.exited.then(settle);
  });
  if (typeof outcome === 'string') {
    await service.stop();
    throw new CommandFailed(`The editor (code-server) ${outcome}.`, log);
  }
  const [, url, boundPort] = outcome;
  const openUrl = (folder, payload) => {
    const target = new URL(`${url}/`);
    target.searchParams.set('folder', folder);
    if (payload !== undefined) target.searchParams.set('payload', JSON.stringify(payload));
    return target.href;
  };
  return {
    url,
    port: Number(boundPort),
    openUrl,
    exited: service.exited,
    stop: service.stop,
    log: () => log,
    /** The address by which the workbench names a file on the server. */
    remoteUri: file =>
      `vscode-remote://127.0.0.1:${boundPort}${file.split(path.sep).map(encodeURIComponent).join('/')}`,
  };
}

/**
 * Opens a headless Chromium that can reach nothing but this machine. Close the context it returns.
 *
 * @param {string} profile folder of the browser profile; the editor keeps its secrets there
 */
export async function openBrowser(
  profile,
  { chromium = requireVariable('CHROMIUM'), args = [], ...options } = {},
) {
  const { chromium: playwright } = await import('playwright-core');
  return playwright.launchPersistentContext(profile, {
    executablePath: chromium,
    headless: true,
    viewport: { width: 1280, height: 800 },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    ...options,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      ...args,
    ],
  });
}
