/** Lines of unchanged text shown above an appended line. */
const contextLines = 3;

/** The unified diff of appending `line` to a text that is empty or ends with a newline. */
export function appendDiff(path: string, before: string, line: string): string {
  const lines = before === '' ? [] : before.replace(/\n$/, '').split('\n');
  const context = lines.slice(-contextLines);
  const start = lines.length - context.length + 1;
  const from = context.length === 0 ? '0,0' : `${String(start)},${String(context.length)}`;
  const to = `${String(start)},${String(context.length + 1)}`;
  const header = [
    `--- ${before === '' ? '/dev/null' : `a/${path}`}`,
    `+++ b/${path}`,
    `@@ -${from} +${to} @@`,
  ];
  return [...header, ...context.map(text => ` ${text}`), `+${line}`, ''].join('\n');
}
