import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The group again, where the system does not tell sessions. */
  readonly session: number;
  /** When it started, in the system's own words: tells it from a later one with its pid. */
  readonly start: string;
}

/** The processes of this machine that still run. Empty on Windows, whose own tools know what belongs together. */
export function processTable(): readonly ProcessRow[] {
  if (process.platform === 'win32') return [];
  if (process.platform === 'linux')
    return readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? readRow(name) : []));
  const shown = spawnSync('ps', ['-axo', 'pid=,ppid=,pgid=,stat=,lstart='], { encoding: 'utf8' });
  return shown.status === 0 ? shown.stdout.split('\n').flatMap(shownRow) : [];
}

function readRow(name: string): readonly ProcessRow[] {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    // The name in parentheses may hold anything; the state follows it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group, session] = fields;
    if (state === 'Z') return [];
    const numbers = { parent: Number(parent), group: Number(group), session: Number(session) };
    return [{ pid: Number(name), ...numbers, start: fields[19] ?? '' }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

function shownRow(line: string): readonly ProcessRow[] {
  const [, pid, parent, group, state, start] = /^ *(\d+) +(\d+) +(\d+) +(\S+) +(.+)$/.exec(line) ?? [];
  if (pid === undefined || start === undefined || state?.startsWith('Z') === true) return [];
  const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group) };
  return [{ ...numbers, start: start.trim() }];
}
