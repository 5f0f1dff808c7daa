import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import headless from '@xterm/headless';
import { spawn, type IPty } from 'node-pty';
import { encodeKeeperFrame, KeeperFrameReader, keeperFrameType } from '../../../src/keeper/keeperFrame.ts';
import { keeperTrace } from '../../../src/keeper/keeperMessage.ts';
import { processStart } from '../../../platform/node/files/processStart.ts';
import type { KeeperAddress, KeeperLauncherOptions } from '../../../src/terminal/keeperLauncher.ts';
import { reapOrphans } from '../../../src/terminal/reapOrphans.ts';
import {
  openTerminalProcess,
  reopenTerminalProcess,
  type TerminalProcess,
} from '../../../src/terminal/terminalProcess.ts';

const keeperMain = join(import.meta.dirname, '../../../src/keeper/main.ts');
const signal = new AbortController().signal;

async function until(what: string, check: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 2_000; attempt += 1) {
    if (check()) return;
    await delay(10);
  }
  throw new Error(`waited in vain for: ${what}`);
}

function isAlive(pid: number): boolean {
  return processStart(pid) !== undefined;
}

/** A terminal that a user sits at: a real one, in which `keeper attach` runs, drawn by a screen of its own. */
class UserTerminal {
  readonly pty: IPty;
  readonly screen: InstanceType<typeof headless.Terminal>;
  text = '';
  exitCode: number | undefined;

  constructor(directory: string, size = { cols: 80, rows: 24 }) {
    this.screen = new headless.Terminal({ ...size, allowProposedApi: true });
    this.pty = spawn(process.execPath, [keeperMain, 'attach', directory], {
      ...size,
      name: 'xterm-256color',
      env: { PATH: process.env.PATH ?? '' },
    });
    this.pty.onData(data => {
      this.text += data;
      this.screen.write(data);
    });
    this.pty.onExit(({ exitCode }) => (this.exitCode = exitCode));
  }

  /** What is drawn, without trailing blanks. */
  get lines(): string {
    const { active } = this.screen.buffer;
    return Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? '',
    )
      .join('\n')
      .trimEnd();
  }

  until(text: string | RegExp): Promise<void> {
    return until(String(text), () =>
      typeof text === 'string' ? this.lines.includes(text) : text.test(this.lines),
    );
  }

  /** As when the user closes the tab. */
  async close(): Promise<void> {
    this.pty.kill('SIGHUP');
    await until('the terminal ends', () => this.exitCode !== undefined);
  }
}

/** Draws on the alternate screen, says what it is told and how large it is. */
const program = `
process.stdin.setRawMode(true);
const draw = text => process.stdout.write('\\x1b[2J\\x1b[H' + text + ' in \\x1b[31m' + process.stdout.columns + 'x' + process.stdout.rows + '\\x1b[0m');
process.stdout.write('\\x1b[?1049h\\x1b[?2004h\\x1b[?25l');
let said = 'waiting';
draw(said);
process.stdout.on('resize', () => draw(said));
process.stdin.on('data', bytes => {
  if (String(bytes) === 'q') process.exit(7);
  draw(said = 'heard ' + bytes);
});`;

describe('a kept terminal [D2]', function () {
  this.timeout(30_000);
  let folder: string;
  let options: KeeperLauncherOptions;
  const open = new Set<UserTerminal>();
  const kept = new Set<TerminalProcess>();
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tk-'));
    options = { runtimeDirectory: folder, runtime: [process.execPath, keeperMain], unattendedMs: 60_000 };
  });
  afterEach(async () => {
    for (const terminal of open) terminal.pty.kill('SIGKILL');
    for (const terminal of kept) terminal.end();
    open.clear();
    kept.clear();
    await until(
      'every keeper has ended',
      () => readdirSync(folder).filter(n => n.length === 16).length === 0,
    );
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(script = program): Promise<{ terminal: TerminalProcess; address: KeeperAddress }> {
    let address: KeeperAddress | undefined;
    const env = { PATH: process.env.PATH ?? '' };
    const opened = await openTerminalProcess(
      options,
      { argv: [process.execPath, '-e', script], cwd: folder, env },
      signal,
      found => (address = found),
    );
    assert.ok(opened.ok && address !== undefined);
    kept.add(opened.value);
    return { terminal: opened.value, address };
  }

  function sit(terminal: TerminalProcess, size?: { cols: number; rows: number }): UserTerminal {
    const user = new UserTerminal(terminal.directory, size);
    open.add(user);
    return user;
  }

  it('is shown at the desk, takes what is typed, and has the desk’s size', async () => {
    const { terminal } = await start();
    const user = sit(terminal);
    await user.until('waiting in 80x24');
    user.pty.write('hello');
    await user.until('heard hello in 80x24');
    user.pty.resize(100, 30);
    user.screen.resize(100, 30);
    await user.until('heard hello in 100x30');
    assert.equal(terminal.deskPid, user.pty.pid, 'the bridge finds the desk’s terminal by its process');
  });

  it('goes on when its terminal is closed, and shows the same in the next one [D2]', async () => {
    const { terminal } = await start();
    const first = sit(terminal);
    await first.until('waiting in 80x24');
    first.pty.write('before');
    await first.until('heard before');
    await first.close();
    await until('nobody shows it', () => terminal.deskPid === 0);
    assert.ok(isAlive(terminal.pid));
    const second = sit(terminal);
    await second.until('heard before in 80x24');
    assert.equal(second.screen.buffer.active.type, 'alternate');
    assert.equal(second.screen.modes.bracketedPasteMode, true);
    assert.match(second.text, /\u001b\[\?25l/, 'a hidden cursor stays hidden');
    second.pty.write('after');
    await second.until('heard after');
  });

  it('is in one terminal at a time: the newest one', async () => {
    const { terminal } = await start();
    const first = sit(terminal);
    await first.until('waiting');
    const second = sit(terminal);
    await second.until('waiting');
    await until('the first one ends', () => first.exitCode !== undefined);
    assert.equal(first.exitCode, 0);
    assert.match(first.lines, /shown in another terminal now/);
    assert.equal(terminal.deskPid, second.pty.pid);
    second.pty.write('mine');
    await second.until('heard mine');
  });

  it('gives the program’s exit code, leaves its modes, and leaves nothing behind', async () => {
    const { terminal, address } = await start();
    const user = sit(terminal);
    await user.until('waiting');
    user.pty.write('q');
    await until('the terminal ends', () => user.exitCode !== undefined);
    assert.equal(user.exitCode, 7);
    assert.equal(user.screen.buffer.active.type, 'normal');
    assert.equal(user.screen.modes.bracketedPasteMode, false);
    assert.deepEqual(await terminal.exited, { detail: 'exit code 7' });
    await until('the keeper is gone', () => !existsSync(address.directory ?? ''));
    const late = sit(terminal);
    await late.until('has ended');
    late.pty.write('\r');
    await until('a late terminal ends', () => late.exitCode !== undefined);
    assert.equal(late.exitCode, 0);
  });

  it('says that its session is gone when its keeper is killed, and stays until that was read', async () => {
    const { terminal, address } = await start();
    const user = sit(terminal);
    await user.until('waiting');
    const trace = keeperTrace.parse(
      JSON.parse(readFileSync(join(address.directory ?? '', 'trace.json'), 'utf8')),
    );
    process.kill(trace.keeperPid, 'SIGKILL');
    await user.until('The session is gone.');
    user.pty.write('still typing');
    await delay(200);
    assert.equal(user.exitCode, undefined);
    user.pty.write('\r');
    await until('the terminal ends', () => user.exitCode !== undefined);
    assert.equal(user.exitCode, 0, 'an editor complains of any other');
    await terminal.exited;
    await reapOrphans(folder, Date.now());
  });

  it('is found again by a restarted bridge, with its desk', async () => {
    const { terminal, address } = await start();
    const user = sit(terminal);
    await user.until('waiting');
    terminal.dispose();
    const again = await reopenTerminalProcess(address, signal);
    assert.ok(again.ok);
    kept.add(again.value);
    assert.equal(again.value.pid, terminal.pid);
    assert.equal(again.value.deskPid, user.pty.pid);
  });

  it('does not wait for a desk that stops reading: what it misses is the screen at the end', async () => {
    const megabytes = 8;
    const flood = `
      const line = 'x'.repeat(1023) + '\\n';
      let left = ${String(megabytes * 1024)};
      const go = () => {
        while (left-- > 0) if (!process.stdout.write(line)) return process.stdout.once('drain', go);
        process.stdout.write('the end', () => require('fs').writeFileSync('flooded', ''));
      };
      go();
      setInterval(() => {}, 1000);`;
    const { terminal, address } = await start(flood);
    const socket = createConnection(address.socketPath);
    const hello = { version: 1, token: address.token, desk: { pid: 1, size: { columns: 80, rows: 24 } } };
    socket.write(encodeKeeperFrame(keeperFrameType.hello, JSON.stringify(hello)));
    socket.pause();
    await until('all is written', () => existsSync(join(folder, 'flooded')));
    let received = 0;
    let last = '';
    const reader = new KeeperFrameReader();
    socket.on('data', chunk => {
      received += chunk.length;
      for (const frame of reader.push(chunk) ?? [])
        if (frame.type === keeperFrameType.screen) last = frame.body.toString('utf8');
    });
    socket.resume();
    await until('the screen comes', () => last.includes('the end'));
    assert.ok(received < (megabytes * 1_048_576) / 2, `${String(received)} bytes were sent`);
    assert.ok(isAlive(terminal.pid));
    socket.destroy();
  });

  it('ends with its children when it is told to', async () => {
    const parent = `
      const child = require('child_process').spawn('sleep', ['1000'], { stdio: 'ignore' });
      require('fs').writeFileSync('child', String(child.pid));
      process.on('SIGHUP', () => {}); process.on('SIGTERM', () => {});
      process.stdout.write('ready'); setInterval(() => {}, 1000);`;
    const { terminal } = await start(parent);
    const user = sit(terminal);
    await user.until('ready');
    const child = Number(readFileSync(join(folder, 'child'), 'utf8'));
    assert.ok(isAlive(child));
    terminal.end();
    await terminal.exited;
    await until('the child is gone', () => !isAlive(child));
    assert.equal(isAlive(terminal.pid), false);
  });

  it('leaves no program when its keeper is killed, even one that ignores the hang-up', async () => {
    const stubborn = `process.on('SIGHUP', () => {}); require('fs').writeFileSync('ready', ''); setInterval(() => {}, 1000);`;
    const { terminal, address } = await start(stubborn);
    await until('it runs', () => existsSync(join(folder, 'ready')));
    const trace: unknown = JSON.parse(readFileSync(join(address.directory ?? '', 'trace.json'), 'utf8'));
    assert.ok(typeof trace === 'object' && trace !== null && 'keeperPid' in trace);
    terminal.dispose();
    process.kill(Number(trace.keeperPid), 'SIGKILL');
    await until('the keeper is gone', () => !isAlive(Number(trace.keeperPid)));
    assert.ok(isAlive(terminal.pid));
    assert.equal(await reapOrphans(folder, Date.now()), 1, 'at the next activation');
    assert.equal(isAlive(terminal.pid), false);
    assert.equal(existsSync(address.directory ?? ''), false);
  });

  it('is left alone by the reaper while its keeper lives, and another process is, whatever its pid', async () => {
    const { terminal, address } = await start();
    const foreign = join(folder, '0123456789abcdef');
    mkdirSync(foreign);
    const trace = { keeperPid: 1, keeperStart: 'never', agentPid: terminal.pid, agentStart: 'never' };
    writeFileSync(join(foreign, 'trace.json'), JSON.stringify(trace));
    assert.equal(await reapOrphans(folder, Date.now()), 0);
    assert.ok(isAlive(terminal.pid));
    assert.ok(existsSync(address.directory ?? ''));
    assert.equal(existsSync(foreign), false);
  });
});
