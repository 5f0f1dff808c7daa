import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import headless from '@xterm/headless';
import { spawn as spawnPty } from 'node-pty';
import { processStart } from '../../../platform/node/files/processStart.ts';
import {
  encodeKeeperFrame,
  KeeperFrameReader,
  keeperFrameType,
  type KeeperFrame,
} from '../../../src/keeper/keeperFrame.ts';
import { keeperSpecVersion, keeperTrace, keeperVersions } from '../../../src/keeper/keeperMessage.ts';
import { launchKeeper, type KeeperAddress } from '../../../src/terminal/keeperLauncher.ts';
import {
  openTerminalProcess,
  reopenTerminalProcess,
  type TerminalProcess,
} from '../../../src/terminal/terminalProcess.ts';

const keeperMain = join(import.meta.dirname, '../../../src/keeper/main.ts');
const env = { PATH: process.env.PATH ?? '' };

async function until(what: string, check: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 1_500; attempt += 1) {
    if (check()) return;
    await delay(10);
  }
  throw new Error(`waited in vain for: ${what}`);
}

function isAlive(pid: number): boolean {
  return processStart(pid) !== undefined;
}

/** The processor's time that a process took. */
function cpuSeconds(pid: number): number {
  const fields =
    readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** A desk that does as the test says. */
class RawDesk {
  readonly socket: Socket;
  readonly frames: KeeperFrame[] = [];
  isBroken = false;

  constructor(address: KeeperAddress, size?: { columns: number; rows: number }) {
    this.socket = createConnection(address.socketPath);
    const reader = new KeeperFrameReader();
    this.socket.on('error', () => this.socket.destroy());
    this.socket.on('data', chunk => {
      const frames = reader.push(chunk);
      if (frames === undefined) {
        this.isBroken = true;
        this.socket.destroy();
      } else this.frames.push(...frames);
    });
    const desk = { pid: process.pid, ...(size === undefined ? {} : { size }) };
    const hello = { version: keeperVersions.newest, token: address.token, desk };
    this.socket.write(encodeKeeperFrame(keeperFrameType.hello, JSON.stringify(hello)));
  }

  shown(): string {
    return Buffer.concat(
      this.frames.filter(({ type }) => type === keeperFrameType.screen).map(({ body }) => body),
    ).toString('utf8');
  }
}

describe('a kept terminal and who means it no good [D1] [D2]', function () {
  this.timeout(30_000);
  let folder: string;
  const pids = new Set<number>();
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'ke-'))));
  afterEach(() => {
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    pids.clear();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(argv: readonly string[]): Promise<{
    terminal: TerminalProcess;
    address: KeeperAddress;
    keeperPid: number;
  }> {
    let address: KeeperAddress | undefined;
    const opened = await openTerminalProcess(
      { runtimeDirectory: folder, runtime: [process.execPath, keeperMain], unattendedMs: 60_000 },
      { argv, cwd: folder, env },
      AbortSignal.timeout(60_000),
      found => (address = found),
    );
    assert.ok(opened.ok && address !== undefined);
    const trace = join(opened.value.directory, 'trace.json');
    await until('the keeper leaves its trace', () => existsSync(trace));
    const { keeperPid } = keeperTrace.parse(JSON.parse(readFileSync(trace, 'utf8')));
    pids.add(keeperPid).add(opened.value.pid);
    return { terminal: opened.value, address, keeperPid };
  }

  it('shows a screen in so many colours that it does not fit one frame', async () => {
    const script = `
      let text = '';
      for (let row = 0; row < 1060; row += 1) {
        for (let column = 0; column < 119; column += 1)
          text += '\\x1b[38;2;' + (row % 256) + ';' + column * 2 + ';' + ((row * column) % 256) + 'mX';
        text += '\\r\\n';
      }
      process.stdout.write(text + 'the end');
      setInterval(() => undefined, 1000);`;
    const { address, terminal } = await start([process.execPath, '-e', script]);
    await delay(1_500);
    const desk = new RawDesk(address);
    await until('all of the screen', () => desk.isBroken || desk.shown().includes('the end'));
    assert.equal(desk.isBroken, false);
    assert.ok(desk.shown().length > 1_048_576);
    desk.socket.destroy();
    terminal.end();
  });

  it('is resized after its program has let go of it, and goes on', async () => {
    const lets = 'trap "" HUP; exec </dev/null >/dev/null 2>&1; while :; do sleep 0.2; done';
    const { address, keeperPid, terminal } = await start(['/bin/sh', '-c', lets]);
    await delay(500);
    const desk = new RawDesk(address, { columns: 81, rows: 25 });
    desk.socket.write(encodeKeeperFrame(keeperFrameType.input, 'typed for nobody'));
    await delay(1_000);
    assert.ok(isAlive(keeperPid), 'the keeper runs');
    terminal.end();
    await until('both have ended', () => !isAlive(keeperPid) && !isAlive(terminal.pid));
  });

  it('makes who types wait for a program that does not read, at no cost', async function () {
    if (process.platform !== 'linux') this.skip();
    const deaf = 'process.stdin.setRawMode(true); process.stdin.pause(); setInterval(() => undefined, 1000);';
    const { address, keeperPid, terminal } = await start([process.execPath, '-e', deaf]);
    await delay(500);
    const desk = new RawDesk(address);
    let taken = 0;
    const flood = (): void => {
      for (let count = 0; count < 100 && taken < 64 * 1_048_576; count += 1) {
        taken += 65_536;
        if (!desk.socket.write(encodeKeeperFrame(keeperFrameType.input, Buffer.alloc(65_536, 'x')))) return;
      }
    };
    desk.socket.on('drain', flood);
    flood();
    await delay(2_000);
    const [before, used] = [taken, cpuSeconds(keeperPid)];
    await delay(2_000);
    assert.equal(taken, before, 'nothing more is taken');
    assert.ok(cpuSeconds(keeperPid) - used < 0.5, 'it does not spin');
    desk.socket.destroy();
    terminal.end();
    await until('both have ended', () => !isAlive(keeperPid) && !isAlive(terminal.pid));
  });

  it('ends though a desk does not read', async () => {
    const go = join(folder, 'go');
    // 32 MiB, many times what any buffer on the way holds.
    const noise = `
      let left = 512;
      setInterval(() => {
        if (!require('fs').existsSync(${JSON.stringify(go)})) return;
        process.stdout.write('x'.repeat(65536));
        if (--left === 0) process.exit(0);
      }, 2);`;
    const { address, keeperPid } = await start([process.execPath, '-e', noise]);
    const desk = new RawDesk(address);
    desk.socket.pause();
    writeFileSync(go, '');
    await until('the keeper has ended', () => !isAlive(keeperPid));
    desk.socket.destroy();
  });

  it('is given up by a restarted bridge when it does not answer, with its program [D3]', async () => {
    const { address, keeperPid, terminal } = await start(['/bin/sleep', '60']);
    terminal.dispose();
    process.kill(keeperPid, 'SIGSTOP');
    const reopened = await reopenTerminalProcess(address, new AbortController().signal);
    assert.deepEqual(reopened, { ok: false, code: 'gone' });
    assert.ok(!isAlive(keeperPid) && !isAlive(terminal.pid), 'nothing goes on unseen');
    assert.equal(existsSync(terminal.directory), false);
  });

  it('is given up when it does not end its program, which is ended then', async () => {
    const { keeperPid, terminal } = await start(['/bin/sleep', '60']);
    process.kill(keeperPid, 'SIGSTOP');
    terminal.end();
    await terminal.exited;
    assert.equal(isAlive(terminal.pid), false);
  });

  it('leaves no margins, no inserting and no line drawing to the shell after it', async () => {
    const odd = `process.stdout.write('\\x1b[2;5r\\x1b[4h\\x1b[?6h\\x1b[?7l\\x1b(0ready');
      process.stdin.once('data', () => process.exit(0));`;
    const { terminal } = await start([process.execPath, '-e', odd]);
    const screen = new headless.Terminal({ cols: 80, rows: 24, allowProposedApi: true });
    const user = spawnPty(process.execPath, [keeperMain, 'attach', terminal.directory], {
      cols: 80,
      rows: 24,
      env,
    });
    let asked = false;
    user.onData(data => {
      screen.write(data, () => {
        // Its user's screen is in the state that the program leaves.
        if (asked || !screen.modes.insertMode) return;
        asked = true;
        user.write('\r');
      });
    });
    await new Promise<void>(resolve => user.onExit(() => resolve()));
    await new Promise<void>(resolve => screen.write('\x1b[10;1Hqqq\r__', resolve));
    assert.equal(screen.buffer.active.getLine(9)?.translateToString(true), '__q');
    assert.equal(screen.modes.insertMode || screen.modes.originMode || !screen.modes.wraparoundMode, false);
  });

  /** Does not go by itself, whatever its terminal or its input does. */
  const stubborn = (name: string): string[] => [
    '/bin/sh',
    '-c',
    `echo $$ > ${join(folder, name)}; trap "" HUP TERM INT PIPE; while :; do sleep 0.2; done`,
  ];

  for (const kind of ['terminal', 'pipes']) {
    const prepared = (name: string): { directory: string; specPath: string } => {
      const directory = join(folder, 'keeper');
      mkdirSync(directory);
      const specPath = join(directory, 'spec.json');
      const spec = {
        version: keeperSpecVersion,
        id: '0123456789abcdef',
        token: 'x'.repeat(43),
        argv: stubborn(name),
        cwd: folder,
        env,
        socketPath: join(directory, 's'),
        unattendedMs: 60_000,
        ...(kind === 'terminal' ? { terminal: { columns: 80, rows: 24 } } : {}),
      };
      writeFileSync(specPath, JSON.stringify(spec));
      return { directory, specPath };
    };
    const run = async (specPath: string, act: (pid: number) => void): Promise<void> => {
      const child = spawn(process.execPath, [keeperMain, specPath], { detached: true, stdio: 'ignore' });
      assert.ok(child.pid !== undefined);
      pids.add(child.pid);
      act(child.pid);
      await until('the keeper has ended', () => child.exitCode !== null || child.signalCode !== null);
      const started = join(folder, 'pid');
      if (!existsSync(started)) return;
      const pid = Number(readFileSync(started, 'utf8'));
      pids.add(pid);
      assert.equal(isAlive(pid), false, 'its program has ended too');
    };

    it(`takes its program along when nobody could come to it (${kind})`, async () => {
      const { directory, specPath } = prepared('pid');
      mkdirSync(join(directory, 's'));
      await run(specPath, () => undefined);
    });

    it(`takes its program along when it cannot leave its trace (${kind})`, async () => {
      const { directory, specPath } = prepared('pid');
      mkdirSync(join(directory, 'trace.json'));
      await run(specPath, () => undefined);
    });
  }

  it('is ended when whoever started it gives up before it listens', async () => {
    const gone = new AbortController();
    const started = join(folder, 'pid');
    const slow = join(folder, 'slow.sh');
    writeFileSync(slow, `echo $$ > ${started}.new; mv ${started}.new ${started}; exec sleep 60`);
    const launched = launchKeeper(
      { runtimeDirectory: folder, runtime: ['/bin/sh', slow], unattendedMs: 60_000 },
      { argv: ['true'], cwd: folder, env },
      { output: () => undefined, exit: () => undefined, lost: () => undefined },
      gone.signal,
    );
    await until('it runs', () => existsSync(started));
    const pid = Number(readFileSync(started, 'utf8'));
    pids.add(pid);
    gone.abort();
    assert.equal((await launched).ok, false);
    await until('it has ended', () => !isAlive(pid));
  });
});
