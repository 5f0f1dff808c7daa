// Who is running, and which of them belong to a program that a script started.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** @typedef {{ pid: number, parent: number, group: number, born: string }} Row */

function readLinux() {
  const rows = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') continue;
      rows.push({ pid: Number(name), parent: Number(fields[1]), group: Number(fields[2]), born: fields[19] });
    } catch {
      // It ended while the table was being read.
    }
  }
  return rows;
}

function readPs() {
  const text = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,stat=,lstart='], { encoding: 'utf8' });
  return text
    .split('\n')
    .map(row => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(row))
    .filter(match => match !== null && !match[4].startsWith('Z'))
    .map(([, pid, parent, group, , born]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      born,
    }));
}

/** All living processes (no zombies). Empty on Windows, where process trees are ended by taskkill. */
export function readProcessTable(platform = process.platform) {
  if (platform === 'win32') return [];
  return platform === 'linux' ? readLinux() : readPs();
}

/** The rows of `table` that are `pid`, its descendants, or members of its process group. */
export function familyOf(pid, table) {
  const family = new Map();
  const queue = table.filter(row => row.pid === pid || row.group === pid);
  for (let row = queue.pop(); row !== undefined; row = queue.pop()) {
    if (family.has(row.pid)) continue;
    family.set(row.pid, row);
    queue.push(...table.filter(other => other.parent === row.pid));
  }
  return [...family.values()];
}

/** The rows whose environment holds NAME=value (Linux only; elsewhere none). It finds what detached itself long ago. */
export function markedWith(name, value, table, platform = process.platform) {
  if (platform !== 'linux') return [];
  const wanted = `${name}=${value}`;
  return table.filter(({ pid }) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(wanted);
    } catch {
      return false;
    }
  });
}
