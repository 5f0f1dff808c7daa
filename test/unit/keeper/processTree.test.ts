import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStart } from '../../../platform/node/files/processStart.ts';
import { AgentProcess } from '../../../src/keeper/agentProcess.ts';
import { PtyProcess } from '../../../src/keeper/ptyProcess.ts';
import { endOrphan } from '../../../src/terminal/endOrphan.ts';

/** A program as agents are: what it starts has a session of its own, and starts more. Prints all pids in one line. */
function program(onTerminate: string): string {
  const tool = `
    const inner = require('child_process').spawn('sleep', ['1000'], { stdio: 'ignore', detached: true });
    process.stdout.write(process.pid + ' ' + inner.pid);
    setInterval(() => {}, 1000);`;
  return `
    process.on('SIGTERM', () => { ${onTerminate} });
    process.on('SIGHUP', () => {});
    const tool = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(tool)}], { detached: true });
    tool.stdout.on('data', pids => console.log(process.pid + ' ' + pids));
    setInterval(() => {}, 1000);`;
}

const ignores = '';
const exits = 'process.exit(0)';
const env = { PATH: process.env.PATH ?? '' };

async function untilGone(pids: readonly number[]): Promise<void> {
  while (pids.some(pid => processStart(pid) !== undefined))
    await new Promise(resolve => setImmediate(resolve));
}

describe('what an agent started, in whatever session it runs [D3]', () => {
  let cwd: string;
  const started: number[] = [];
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'tp-'));
  });
  afterEach(() => {
    for (const pid of started.splice(0)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It is gone, as it should be.
      }
    }
    rmSync(cwd, { recursive: true, force: true });
  });

  /** Collects output until the pids have come. */
  function pidsFrom(): {
    readonly take: (output: Buffer) => void;
    readonly pids: Promise<readonly number[]>;
  } {
    let text = '';
    let settle: (pids: readonly number[]) => void = () => undefined;
    const pids = new Promise<readonly number[]>(resolve => (settle = resolve));
    return {
      pids,
      take: output => {
        text += output.toString('utf8');
        if (!text.includes('\n')) return;
        const found = text.trim().split(' ').map(Number);
        started.push(...found);
        settle(found);
      },
    };
  }

  for (const [what, script] of [
    ['is killed', program(ignores)],
    ['ends by itself when it is told to', program(exits)],
  ] as const) {
    const signals = script.includes(exits) ? (['SIGTERM'] as const) : (['SIGTERM', 'SIGKILL'] as const);

    it(`goes with an agent that ${what}`, async () => {
      const { take, pids } = pidsFrom();
      const exited = new Promise<void>(resolve => {
        const spec = { argv: [process.execPath, '-e', script], cwd, env };
        const agent = new AgentProcess(spec, { output: take, exit: () => resolve() });
        void pids.then(() => {
          for (const signal of signals) agent.signal(signal);
        });
      });
      const all = await pids;
      assert.equal(all.length, 3);
      await exited;
      await untilGone(all);
    });

    it(`goes with the program of a terminal that ${what}`, async () => {
      const { take, pids } = pidsFrom();
      const exited = new Promise<void>(resolve => {
        const spec = { argv: [process.execPath, '-e', script], cwd, env };
        const on = { output: take, exit: () => resolve() };
        const agent = new PtyProcess(spec, { columns: 80, rows: 24 }, on);
        void pids.then(() => {
          for (const signal of ['SIGHUP', ...signals] as const) agent.signal(signal);
        });
      });
      const all = await pids;
      assert.equal(all.length, 3);
      await exited;
      await untilGone(all);
    });
  }

  it('goes with an agent whose keeper is gone, and nothing else does', async () => {
    const { take, pids } = pidsFrom();
    const agent: ChildProcess = spawn(process.execPath, ['-e', program(ignores)], {
      cwd,
      env,
      detached: true,
    });
    agent.stdout?.on('data', take);
    const [pid = 0, ...others] = await pids;
    const bystander = spawn('sleep', ['1000'], { stdio: 'ignore', detached: true });
    started.push(bystander.pid ?? 0);
    const exited = once(agent, 'exit');
    await endOrphan(pid, processStart(pid));
    await exited;
    await untilGone([pid, ...others]);
    assert.notEqual(processStart(bystander.pid ?? 0), undefined);
  });
});
