import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processStart } from '../../platform/node/files/processStart.ts';
import {
  decodeOffset,
  encodeKeeperFrame,
  KeeperFrameReader,
  keeperFrameType,
} from '../../src/keeper/keeperFrame.ts';
import { keeperTrace, keeperVersions } from '../../src/keeper/keeperMessage.ts';
import type { KeeperAddress } from '../../src/terminal/keeperLauncher.ts';
import { openTerminalProcess, type TerminalProcess } from '../../src/terminal/terminalProcess.ts';

export const keeperMain = join(import.meta.dirname, '../../src/keeper/main.ts');

/** Waits for what no event tells: something that another process has done. */
export async function untilTrue(what: string, check: () => boolean, deadlineMs = 20_000): Promise<void> {
  for (const end = performance.now() + deadlineMs; performance.now() < end;) {
    if (check()) return;
    await delay(10);
  }
  throw new Error(`waited in vain for: ${what}`);
}

export function isAlive(pid: number): boolean {
  return processStart(pid) !== undefined;
}

export interface StartedTerminal {
  readonly terminal: TerminalProcess;
  readonly address: KeeperAddress;
  readonly keeperPid: number;
}

/** Programs in terminals under real keepers, in a folder of their own; nothing is left after `dispose`. */
export class KeptTerminals {
  readonly folder = mkdtempSync(join(tmpdir(), 'kt-'));
  readonly #program: string;
  readonly #started: StartedTerminal[] = [];
  readonly #desks: PlainDesk[] = [];

  /** @param program the keeper's own */
  constructor(program = keeperMain) {
    this.#program = program;
  }

  async start(argv: readonly string[]): Promise<StartedTerminal> {
    let address: KeeperAddress | undefined;
    const opened = await openTerminalProcess(
      { runtimeDirectory: this.folder, runtime: [process.execPath, this.#program], unattendedMs: 60_000 },
      { argv, cwd: this.folder, env: { PATH: process.env.PATH ?? '' } },
      AbortSignal.timeout(60_000),
      found => (address = found),
    );
    assert.ok(opened.ok && address !== undefined);
    const trace = join(opened.value.directory, 'trace.json');
    await untilTrue('the keeper leaves its trace', () => existsSync(trace));
    const { keeperPid } = keeperTrace.parse(JSON.parse(readFileSync(trace, 'utf8')));
    const started = { terminal: opened.value, address, keeperPid };
    this.#started.push(started);
    return started;
  }

  /** A Node program, given as its text. */
  run(script: string): Promise<StartedTerminal> {
    return this.start([process.execPath, '-e', script]);
  }

  sit(address: KeeperAddress, size?: { readonly columns: number; readonly rows: number }): PlainDesk {
    const desk = new PlainDesk(address, size);
    this.#desks.push(desk);
    return desk;
  }

  async dispose(): Promise<void> {
    for (const desk of this.#desks) desk.socket.destroy();
    for (const { terminal, keeperPid } of this.#started) {
      terminal.end();
      // Another bridge may have taken the terminal over.
      if (isAlive(keeperPid)) process.kill(keeperPid, 'SIGTERM');
    }
    await untilTrue('every keeper has ended', () => this.#started.every(each => !isAlive(each.keeperPid)));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Who sits at a terminal, without a terminal of its own. */
export class PlainDesk {
  readonly socket: Socket;
  /** Bytes of output, and where in it the last ones ended. */
  outputBytes = 0;
  outputEnd = 0;
  /** How often the whole screen came in place of output. */
  screens = 0;
  /** The end of what came. */
  tail = '';

  constructor(address: KeeperAddress, size?: { readonly columns: number; readonly rows: number }) {
    this.socket = createConnection(address.socketPath);
    const reader = new KeeperFrameReader();
    this.socket.on('error', () => this.socket.destroy());
    this.socket.on('data', chunk => {
      for (const { type, body } of reader.push(chunk) ?? []) {
        if (type !== keeperFrameType.output && type !== keeperFrameType.screen) continue;
        const output = type === keeperFrameType.output ? decodeOffset(body) : undefined;
        if (output === undefined) this.screens += 1;
        else {
          this.outputBytes += output.bytes.length;
          this.outputEnd = output.offset + output.bytes.length;
        }
        this.tail = (this.tail + (output?.bytes ?? body).toString('utf8')).slice(-10_000);
      }
    });
    const desk = { pid: process.pid, ...(size === undefined ? {} : { size }) };
    const { oldest, newest } = keeperVersions;
    this.#send(
      keeperFrameType.hello,
      JSON.stringify({ version: oldest, newest, token: address.token, desk }),
    );
  }

  type(keys: string): void {
    this.#send(keeperFrameType.input, keys);
  }

  #send(type: number, body: string): void {
    this.socket.write(encodeKeeperFrame(type, body));
  }
}
