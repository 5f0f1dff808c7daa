import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * How to run npm without a shell: the npm that runs this script, else the one beside the running Node, else `npm` on PATH.
 *
 * @param {string} node the Node to run it with
 * @returns {{ command: string, args: string[] }}
 */
export function findNpm(node = process.execPath, env = process.env) {
  const besides = path.dirname(process.execPath);
  const places = [
    /npm-cli\.c?js$/.test(env.npm_execpath ?? '') ? env.npm_execpath : undefined,
    path.join(besides, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(besides, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  const cli = places.find(place => place !== undefined && existsSync(place));
  return cli === undefined ? { command: 'npm', args: [] } : { command: node, args: [cli] };
}
