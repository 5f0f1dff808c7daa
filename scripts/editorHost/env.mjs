import { CommandFailed } from '../process/processes.mjs';

/**
 * Reads where the editor (CODE_SERVER_DIR) or the browser (CHROMIUM) is. `npm test` sets both from what was installed; throws
 * CommandFailed where one is missing.
 *
 * @param {'CODE_SERVER_DIR' | 'CHROMIUM'} name
 * @returns {string}
 */
export function requireVariable(name, env = process.env) {
  const value = env[name];
  if (!value) throw new CommandFailed(`${name} is not set; npm test sets it.`, '');
  return value;
}
