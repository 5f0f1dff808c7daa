import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processStart } from '../../../platform/node/files/processStart.ts';
import { keeperMark } from '../../../src/keeper/backgroundJobs.ts';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { keeperTrace } from '../../../src/keeper/keeperMessage.ts';
import { keeperDirectory, type KeeperAddress } from '../../../src/terminal/keeperLauncher.ts';
import { openKeeperProcess } from '../../../src/terminal/keeperProcess.ts';
import { reapOrphans } from '../../../src/terminal/reapOrphans.ts';

const keeperMain = join(import.meta.dirname, '../../../src/keeper/main.ts');

async function until(what: string, check: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    if (check()) return;
    await delay(10);
  }
  throw new Error(`waited in vain for: ${what}`);
}

/**
 * An agent as they are: its tool is a shell with a session of its own, which starts a job and ends; another one still runs;
 * and a program stays apart.
 */
const agent = `
const { spawn } = require('child_process');
const tool = spawn('/bin/sh', ['-c', 'sleep 1000 & echo $! > job'], { stdio: 'ignore', detached: true });
tool.on('exit', () => {
  const apart = spawn('sleep', ['1000'], { stdio: 'ignore', detached: true });
  apart.unref();
  spawn('/bin/sh', ['-c', 'echo $$ > shell; sleep 1000; :'], { stdio: 'ignore', detached: true }).unref();
  require('fs').writeFileSync('apart', String(apart.pid));
});
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();`;

describe('what an agent’s commands leave running in the background [D3]', function () {
  this.timeout(30_000);
  let folder: string;
  const left: number[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tk-'));
  });
  afterEach(() => {
    for (const pid of left.splice(0)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const pidIn = (name: string): number => Number(readFileSync(join(folder, name), 'utf8'));

  async function start() {
    let address: KeeperAddress | undefined;
    const opened = await openKeeperProcess(
      { runtimeDirectory: folder, runtime: [process.execPath, keeperMain], unattendedMs: 60_000 },
      { argv: [process.execPath, '-e', agent], cwd: folder, env: { PATH: process.env.PATH ?? '' } },
      new AbortController().signal,
      found => (address = found),
    );
    assert.ok(opened.ok && address !== undefined);
    await until('it has started all', () =>
      ['apart', 'shell'].every(name => existsSync(join(folder, name)) && pidIn(name) > 0),
    );
    left.push(pidIn('job'), pidIn('apart'), pidIn('shell'));
    assert.ok(processStart(pidIn('job')));
    return { process: opened.value.process, directory: keeperDirectory(address) };
  }

  it('ends with the agent', async () => {
    const { process: running } = await start();
    running.end();
    await running.exited;
    await until('the job is gone', () => processStart(pidIn('job')) === undefined);
    await until('the command is gone', () => processStart(pidIn('shell')) === undefined);
  });

  it('ends at the next start when the keeper was killed while nobody was there', async () => {
    const { process: running, directory } = await start();
    const trace = keeperTrace.parse(jsonValue(readFileSync(join(directory, 'trace.json'), 'utf8')));
    running.dispose();
    process.kill(trace.keeperPid, 'SIGKILL');
    await until('the keeper is gone', () => processStart(trace.keeperPid) === undefined);
    await until('its agent is gone', () => processStart(trace.agentPid) === undefined);
    assert.ok(processStart(pidIn('job')) && processStart(pidIn('shell')), 'nobody else ends them');
    assert.equal(await reapOrphans(folder, Date.now()), 1);
    await until('both are gone', () => !['job', 'shell'].some(name => processStart(pidIn(name))));
    assert.ok(processStart(pidIn('apart')), 'what made itself a session of its own was meant to stay');
  });

  it('is known by its keeper alone: the mark of another one, or in a session that lives, is none of ours', async () => {
    const other = spawn('sleep', ['1000'], {
      stdio: 'ignore',
      env: { ...process.env, [keeperMark]: '0123456789abcdef' },
    });
    left.push(other.pid ?? 0);
    const { process: running } = await start();
    running.end();
    await running.exited;
    await until('the job is gone', () => processStart(pidIn('job')) === undefined);
    assert.ok(processStart(other.pid ?? 0));
  });
});
