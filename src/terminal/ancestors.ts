import { processTable, type ProcessRow } from '../keeper/processTable.ts';

/** Deeper than any program is nested. */
const generations = 64;

/** A process and those that it comes from, the nearest first. @param table the machine's processes, read now when absent */
export function ancestors(pid: number, table: readonly ProcessRow[] = processTable()): readonly number[] {
  const parents = new Map(table.map(row => [row.pid, row.parent]));
  const line: number[] = [];
  for (let each: number | undefined = pid; each !== undefined && each > 1 && line.length < generations;) {
    line.push(each);
    each = parents.get(each);
  }
  return line;
}
