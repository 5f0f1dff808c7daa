/** What stands before a program that it runs. */
const carriers: ReadonlySet<string> = new Set([
  'sudo',
  'exec',
  'command',
  'time',
  'nohup',
  'env',
  'npx',
  'bunx',
]);

/**
 * The program that a command line starts, by its name alone: `FOO=1 ~/bin/claude --resume x` starts `claude`.
 *
 * @param commandLine as a user typed it in any shell, at most its first 4,096 characters count
 * @returns undefined when it starts nothing that has a name
 */
export function typedProgram(commandLine: string): string | undefined {
  const words = commandLine.slice(0, 4_096).matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g);
  for (const [quoted] of words) {
    const word = quoted.replaceAll(/["']/g, '');
    if (/^[A-Za-z_]\w*=/.test(word) || word.startsWith('-') || word === '&') continue;
    const name = (word.split(/[/\\]/).at(-1) ?? '').replace(/\.(exe|cmd|ps1|bat)$/i, '').toLowerCase();
    if (!carriers.has(name)) return name === '' ? undefined : name;
  }
  return undefined;
}
