/** Somewhat more than the hook itself waits. In seconds. */
const timeoutSeconds = 23 * 3_600;

/** The first version that is known to run such a hook beside its dialogs; one that does not know it may refuse its settings. */
const oldest = [2, 1] as const;

/** @param version as `claude --version` says it */
export function hasPermissionHook(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

/**
 * Settings that let Claude Code run a hook of ours beside each of its permission dialogs, on top of the user's own settings and
 * hooks, for one process only. They are given with `--settings`, and are in no file.
 *
 * @param command program and arguments
 */
export function permissionHookSettings(command: readonly string[]): string {
  // The editor's program runs scripts only when told to. `exec`: what ends the hook ends its program.
  const words = ['exec', 'env', 'ELECTRON_RUN_AS_NODE=1', ...command.map(quote)].join(' ');
  const hook = { type: 'command', command: words, timeout: timeoutSeconds };
  return JSON.stringify({ hooks: { PermissionRequest: [{ hooks: [hook] }] } });
}

/** One word of a shell's command, whatever is in it. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
