// What comes from the operating system rather than from npm: a browser, and the tools that compile two small native modules.
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { CommandFailed, runCommand, Stopped } from '../process/processes.mjs';

const browserNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const browserPlaces = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].map(name =>
    path.join(process.env[name] ?? 'C:\\', 'Google', 'Chrome', 'Application', 'chrome.exe'),
  ),
};

/** Finds a program on PATH. */
export function findProgram(name, env = process.env) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    if (folder === '') continue;
    for (const ending of endings) {
      const file = path.join(folder, `${name}${ending}`);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // Not here.
      }
    }
  }
  return undefined;
}

/** Finds a Chromium or Chrome: CHROMIUM_PATH, PATH, then the usual places of the platform. */
export function findChromium(env = process.env) {
  if (env.CHROMIUM_PATH) return existsSync(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : undefined;
  const onPath = browserNames.map(name => findProgram(name, env)).find(file => file !== undefined);
  return onPath ?? (browserPlaces[process.platform] ?? []).find(file => existsSync(file));
}

const canInstall = () => process.getuid?.() === 0 && findProgram('apt-get') !== undefined;

async function aptInstall(terminal, what, names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = ['-q', '-o', 'DPkg::Lock::Timeout=300'];
  await terminal.step(`Installing ${what} with apt-get (${names.join(', ')})`, async () => {
    // It gets time to end by itself: a package half set up would be worse.
    await runCommand('apt-get', [...apt, 'update'], { env, deadlineMs: 5 * 60_000 });
    await runCommand('apt-get', [...apt, 'install', '-y', '--no-install-recommends', ...names], {
      env,
      deadlineMs: 15 * 60_000,
      graceMs: 30_000,
    });
  });
}

async function offer(terminal, what, names, reason) {
  if (!canInstall()) return reason;
  try {
    await aptInstall(terminal, what, names);
    return undefined;
  } catch (error) {
    if (error instanceof Stopped || !(error instanceof CommandFailed)) throw error;
    return `${reason} apt-get could not install it: ${error.tail.split('\n').at(-1)}`;
  }
}

/** @returns {Promise<{ ok: true, file: string } | { ok: false, reason: string }>} */
export async function needChromium(terminal, env = process.env) {
  if (env.CHROMIUM_PATH && !existsSync(env.CHROMIUM_PATH)) {
    return { ok: false, reason: `CHROMIUM_PATH names ${env.CHROMIUM_PATH}, which does not exist.` };
  }
  let reason;
  if (findChromium(env) === undefined) {
    const names = ['chromium', 'fonts-dejavu-core'];
    const missing =
      'No Chromium or Chrome was found; install one (apt-get install chromium) or set CHROMIUM_PATH.';
    reason = await offer(terminal, 'Chromium', names, missing);
  }
  const file = findChromium(env);
  if (file === undefined)
    return { ok: false, reason: reason ?? 'Chromium was installed but is not on PATH.' };
  try {
    await runCommand(file, ['--version'], { deadlineMs: 60_000 });
    return { ok: true, file };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { ok: false, reason: `${file} does not run: ${error.tail.split('\n')[0] || error.message}` };
  }
}

/** @returns {Promise<{ ok: true } | { ok: false, reason: string }>} */
export async function needCompiler(terminal) {
  const missing = ['python3', 'make', 'g++'].filter(name => findProgram(name) === undefined);
  if (missing.length === 0) return { ok: true };
  const reason = `A C++ compiler is needed for the editor's native modules; missing: ${missing.join(', ')} (apt-get install g++ make python3).`;
  const failure = await offer(terminal, 'a C++ compiler', ['python3', 'make', 'g++'], reason);
  return failure === undefined ? { ok: true } : { ok: false, reason: failure };
}
