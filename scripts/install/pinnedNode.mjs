// The Node that the project pins (devDependency "node"): scripts run on any Node from 20.19, everything else on this one.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../projectRoot.mjs';

const executable = process.platform === 'win32' ? 'node.exe' : 'node';

/** Where the pinned Node's program is, whether or not it is there. */
export const pinnedNode = path.join(projectRoot, 'node_modules', 'node', 'bin', executable);

/** The folder with the headers node-gyp needs: the pinned Node's if it is installed, else the running Node's, else undefined. */
export function findNodeHeaders() {
  const places = [
    path.join(projectRoot, 'node_modules', 'node', 'node_modules'),
    path.join(projectRoot, 'node_modules'),
  ];
  for (const place of places) {
    const names = existsSync(place)
      ? readdirSync(place).filter(name => /^node-(bin-)?\w+-\w+$/.test(name))
      : [];
    const found = names
      .map(name => path.join(place, name))
      .find(folder => existsSync(path.join(folder, 'include', 'node')));
    if (found !== undefined) return found;
  }
  const own = path.dirname(path.dirname(process.execPath));
  return existsSync(path.join(own, 'include', 'node')) ? own : undefined;
}

/** `env` with the pinned Node (and the project's programs) first on PATH, and its headers for native builds. */
export function pinnedEnv(env = process.env) {
  const pathName = Object.keys(env).find(name => name.toUpperCase() === 'PATH') ?? 'PATH';
  const first = [path.dirname(pinnedNode), path.join(projectRoot, 'node_modules', '.bin')];
  const rest = (env[pathName] ?? '')
    .split(path.delimiter)
    .filter(folder => folder !== '' && !first.includes(folder));
  const headers = findNodeHeaders();
  return {
    ...env,
    [pathName]: [...first, ...rest].join(path.delimiter),
    ...(headers === undefined ? {} : { npm_config_nodedir: headers }),
  };
}
