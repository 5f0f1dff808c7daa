import { spawn } from 'node:child_process';

function opener(url, env) {
  if (process.platform === 'darwin') return ['open', [url]];
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open', [url]] : undefined;
}

/** Opens a page in the person's browser where there is a desktop; it says whether it tried. The browser is not ours to end. */
export function openPage(url, env = process.env) {
  const found = opener(url, env);
  if (found === undefined) return false;
  const [command, args] = found;
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
  return true;
}
