// node guard.mjs PROGRAM ARGS… — runs PROGRAM in a process group of its own and ends it, with all it started, as soon as this
// guard's stdin closes. The operating system closes it when whoever holds the other end dies, however that happens, so nothing
// outlives the script that asked for it. The line "leave detached" spares what has left the group on purpose.
import { spawn } from 'node:child_process';
import os from 'node:os';
import { endTree, runMark } from './endTree.mjs';

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, {
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: process.platform !== 'win32',
  windowsHide: true,
});
let told = '';
let leaving = false;

async function leave(exitCode, leaveDetached = told.includes('leave detached')) {
  if (leaving) return;
  leaving = true;
  if (child.pid !== undefined) await endTree(child.pid, { mark: process.env[runMark], leaveDetached });
  process.exit(exitCode);
}

child.once('error', error => {
  process.stderr.write(`${command} could not be started: ${error.message}\n`);
  process.exit(127);
});
// A shell's way to say by which signal a program ended.
child.once('exit', (code, signal) => void leave(code ?? 128 + os.constants.signals[signal], true));
process.stdin.setEncoding('utf8').on('data', text => (told += text));
process.stdin.once('close', () => void leave(0));
process.stdin.once('error', () => void leave(0));
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => void leave(0));
