import { findProgram } from '../editorHost/systemPackages.mjs';
import { CommandFailed, runCommand } from '../process/processes.mjs';

const known = [
  { name: 'Claude Code', program: 'claude' },
  { name: 'Codex', program: 'codex' },
  { name: 'Gemini CLI', program: 'gemini' },
  { name: 'OpenCode', program: 'opencode' },
];
const deadlineMs = 5000;

async function probe({ name, program }, env) {
  const file = findProgram(program, env);
  if (file === undefined) return undefined;
  try {
    const text = await runCommand(file, ['--version'], { env, deadlineMs, graceMs: 0 });
    return { name, version: /\d+\.\d+[\w.+-]*/.exec(text)?.[0] };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { name, version: undefined };
  }
}

/**
 * Asks the coding agents this project knows for their version, all at once, for at most 5 seconds.
 *
 * @returns {Promise<{ name: string, version: string | undefined }[]>} those on PATH; without a version when they did not
 *   answer properly
 */
export async function detectAgents(env = process.env) {
  const found = await Promise.all(known.map(agent => probe(agent, env)));
  return found.filter(agent => agent !== undefined);
}
