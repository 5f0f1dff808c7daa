import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { KeeperClient } from '../../src/terminal/keeperClient.ts';
import { launchKeeper } from '../../src/terminal/keeperLauncher.ts';
import type { Measurement } from '../report/benchRow.ts';
import { processMemory, type ProcessMemory } from './processMemory.ts';
import { toKeeperMeasurements } from './toKeeperMeasurements.ts';

const rounds = 9;
/** Until a process that has started is done with it. */
const settleMs = 500;
const size = { columns: 120, rows: 40 };

interface Kept {
  readonly ms: number;
  readonly client: KeeperClient;
  readonly directory: string;
  end(): Promise<void>;
}

/** @param built folder of a production build */
export async function measureKeeper(built: string): Promise<readonly Measurement[]> {
  const program = join(built, 'keeper.cjs');
  const folder = mkdtempSync(join(tmpdir(), 'tb-'));
  const started: Kept[] = [];

  async function start(terminal: boolean): Promise<Kept> {
    let onExit: () => void = () => undefined;
    const exited = new Promise<void>(resolve => (onExit = resolve));
    const begun = performance.now();
    const launched = await launchKeeper(
      { runtimeDirectory: folder, runtime: [process.execPath, program], unattendedMs: 60_000 },
      { argv: ['/bin/sleep', '60'], cwd: folder, env: {}, ...(terminal ? { terminal: size } : {}) },
      { output: () => undefined, exit: () => onExit(), lost: () => onExit() },
      AbortSignal.timeout(30_000),
    );
    const ms = performance.now() - begun;
    if (!launched.ok) throw new Error(`a keeper could not be started: ${launched.code}`);
    const { client, address } = launched.value;
    const end = async (): Promise<void> => {
      client.end(0);
      await exited;
    };
    const kept = { ms, client, directory: join(folder, address.id), end };
    started.push(kept);
    return kept;
  }

  async function startMs(terminal: boolean): Promise<number> {
    const kept = await start(terminal);
    await kept.end();
    return kept.ms;
  }

  async function memoryOf(terminal: boolean): Promise<ProcessMemory | undefined> {
    const { client } = await start(terminal);
    await delay(settleMs);
    return processMemory(client.welcome.keeperPid);
  }

  async function attachMemory(): Promise<ProcessMemory | undefined> {
    const { directory } = await start(true);
    const shown = spawn(process.execPath, [program, 'attach', directory], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const exited = once(shown, 'exit');
    shown.stdout.resume();
    await once(shown.stdout, 'data');
    await delay(settleMs);
    const memory = shown.pid === undefined ? undefined : processMemory(shown.pid);
    shown.kill('SIGKILL');
    await exited;
    return memory;
  }

  try {
    const bareMs: number[] = [];
    const pipesMs: number[] = [];
    const terminalMs: number[] = [];
    // In turns: what else the machine does hits all alike.
    for (let round = 0; round < rounds; round += 1) {
      bareMs.push(await bareStartMs());
      pipesMs.push(await startMs(false));
      terminalMs.push(await startMs(true));
    }
    const memory = {
      pipes: await memoryOf(false),
      terminal: await memoryOf(true),
      attach: await attachMemory(),
    };
    return toKeeperMeasurements({ bareMs, pipesMs, terminalMs, memory });
  } finally {
    await Promise.all(started.map(kept => kept.end()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bareStartMs(): Promise<number> {
  const begun = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - begun;
}
