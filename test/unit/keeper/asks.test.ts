import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maxAskBytes, maxOpenAsks } from '../../../src/keeper/askMessage.ts';
import { keeperMark } from '../../../src/keeper/backgroundJobs.ts';
import { encodeKeeperFrame, keeperFrameType, KeeperFrameReader } from '../../../src/keeper/keeperFrame.ts';
import { keeperRefused, keeperVersions, versionOfAsks } from '../../../src/keeper/keeperMessage.ts';
import type { KeeperAddress } from '../../../src/terminal/keeperLauncher.ts';
import { reopenTerminalProcess, type TerminalProcess } from '../../../src/terminal/terminalProcess.ts';
import { keeperMain, KeptTerminals, untilTrue, type StartedTerminal } from '../../fakes/keptTerminals.ts';

const idle = 'setInterval(() => undefined, 1000)';
const signal = AbortSignal.timeout(60_000);

/** A hook as a kept program runs it. */
class Hook {
  readonly process;
  out = '';
  err = '';
  readonly exited: Promise<unknown[]>;

  /** @param input what the program says to it; nothing, and no end, when undefined */
  constructor(directory: string, id: string | undefined, input: string | undefined) {
    const mark = id === undefined ? {} : { [keeperMark]: id };
    this.process = spawn(process.execPath, [keeperMain, 'hook', directory], {
      env: { PATH: process.env.PATH ?? '', ...mark },
    });
    this.process.stdout.on('data', (data: Buffer) => (this.out += data.toString()));
    this.process.stderr.on('data', (data: Buffer) => (this.err += data.toString()));
    this.exited = once(this.process, 'close');
    if (input !== undefined) this.process.stdin.end(input);
  }

  /** What became of it: its exit code, its output, and what it says to who looks for a fault. */
  async end(): Promise<readonly [code: unknown, out: string, err: string]> {
    const [code] = await this.exited;
    return [code, this.out, this.err.trim()];
  }
}

const payload = (n: unknown): string => JSON.stringify({ tool: 'Bash', n, text: '日本語 "quoted"' });

describe('a hook of a kept program', function () {
  this.timeout(60_000);
  let terminals: KeptTerminals;
  let hooks: Hook[];
  let bridges: TerminalProcess[];
  beforeEach(() => {
    terminals = new KeptTerminals();
    hooks = [];
    bridges = [];
  });
  afterEach(async () => {
    for (const { process } of hooks) process.kill('SIGKILL');
    for (const bridge of bridges) bridge.dispose();
    await terminals.dispose();
  });

  const run = (id: string | undefined, input: string | undefined, directory = terminals.folder): Hook => {
    const hook = new Hook(directory, id, input);
    hooks.push(hook);
    return hook;
  };
  const reopen = async (address: KeeperAddress): Promise<TerminalProcess> => {
    const reopened = await reopenTerminalProcess(address, signal);
    assert.ok(reopened.ok);
    bridges.push(reopened.value);
    return reopened.value;
  };
  const texts = ({ asks }: TerminalProcess): readonly string[] => [...asks.open.values()].sort();
  const only = ({ asks }: TerminalProcess): string => {
    const [id, ...others] = asks.open.keys();
    assert.ok(id !== undefined && others.length === 0);
    return id;
  };
  const asked = (terminal: TerminalProcess, count: number): Promise<void> =>
    untilTrue(`${String(count)} asks`, () => terminal.asks.open.size === count);

  it('asks whoever is there, in its own words, and says what it is told to, to the byte', async () => {
    const { terminal, address } = await terminals.run(idle);
    const hook = run(address.id, payload(1));
    await asked(terminal, 1);
    assert.deepEqual(texts(terminal), [payload(1)]);
    const output = `{"decision":"🙂 ${'x'.repeat(300_000)}"}`;
    terminal.asks.answer(only(terminal), output);
    assert.deepEqual(await hook.end(), [0, output, '']);
    assert.equal(terminal.asks.open.size, 0);
  });

  it('says nothing when it is told to say nothing, and leaves when its program ends it', async () => {
    const { terminal, address } = await terminals.run(idle);
    const released = run(address.id, payload(1));
    await asked(terminal, 1);
    terminal.asks.answer(only(terminal), undefined);
    assert.deepEqual(await released.end(), [0, '', 'terminull: unanswered']);
    const killed = run(address.id, payload(2));
    await asked(terminal, 1);
    const gone = only(terminal);
    killed.process.kill('SIGTERM');
    await asked(terminal, 0);
    terminal.asks.answer(gone, 'too late');
    await killed.exited;
    assert.equal(killed.out, '');
  });

  it('waits while no bridge is there, and asks each that comes; the first answer counts', async () => {
    const { terminal, address } = await terminals.run(idle);
    const first = run(address.id, payload(1));
    await asked(terminal, 1);
    const id = only(terminal);
    terminal.dispose();
    const second = run(address.id, payload(2));
    const desk = terminals.sit(address);
    await untilTrue('the desk', () => desk.screens > 0);
    const bridge = await reopen(address);
    await asked(bridge, 2);
    assert.deepEqual(texts(bridge), [payload(1), payload(2)]);
    assert.ok(bridge.asks.open.has(id), 'under the id that it had');
    const next = await reopen(address);
    await asked(next, 2);
    bridge.asks.answer(id, 'from one that was replaced');
    next.asks.answer(id, 'from the newest');
    next.asks.answer(id, 'again');
    assert.deepEqual(await first.end(), [0, 'from the newest', '']);
    const [left] = next.asks.open.keys();
    next.asks.answer(left ?? '', 'second');
    assert.deepEqual(await second.end(), [0, 'second', '']);
  });

  it('is nobody who looks after the program, and none who may type or end it', async () => {
    const { terminal, address } = await terminals.run(
      `process.stdin.on('data', d => console.log('read', d.length)); ${idle}`,
    );
    const socket = createConnection(address.socketPath);
    const hello = {
      version: versionOfAsks,
      newest: keeperVersions.newest,
      token: address.token,
      hook: { pid: 1 },
    };
    for (const [type, body] of [
      [keeperFrameType.hello, JSON.stringify(hello)],
      [keeperFrameType.ask, payload(1)],
      [keeperFrameType.input, 'typed\r'],
      [keeperFrameType.end, '{"graceMs":0}'],
      [keeperFrameType.answer, JSON.stringify({ id: '0'.repeat(16), output: 'x' })],
      [keeperFrameType.ask, payload('a second one')],
    ] as const)
      socket.write(encodeKeeperFrame(type, body));
    await asked(terminal, 1);
    const again = run(address.id, payload(2));
    await asked(terminal, 2);
    assert.deepEqual(texts(terminal), [payload(1), payload(2)]);
    const picture = await terminal.look({}, signal);
    assert.ok(picture.ok && !JSON.stringify(picture.value).includes('read'));
    socket.destroy();
    await asked(terminal, 1);
    again.process.kill();
  });

  it('ends in silence with its program, and with a keeper that is killed', async () => {
    const ended = await terminals.run(idle);
    const first = run(ended.address.id, payload(1));
    await asked(ended.terminal, 1);
    ended.terminal.end();
    assert.deepEqual(await first.end(), [0, '', 'terminull: lost']);
    const killed = await terminals.run(idle);
    const second = run(killed.address.id, payload(1));
    await asked(killed.terminal, 1);
    process.kill(killed.keeperPid, 'SIGKILL');
    assert.deepEqual(await second.end(), [0, '', 'terminull: lost']);
  });

  it('is refused by name when it says too much, or no object, or when too many wait', async () => {
    const { terminal, address } = await terminals.run(idle);
    const long = JSON.stringify({ text: 'x'.repeat(maxAskBytes) });
    assert.deepEqual(await run(address.id, long).end(), [0, '', 'terminull: too_long']);
    for (const text of ['', 'no', '[1]', 'null', '{"a":'])
      assert.deepEqual(await run(address.id, text).end(), [0, '', 'terminull: malformed'], text);
    const longest = JSON.stringify({ text: 'x'.repeat(maxAskBytes - 11) });
    assert.equal(longest.length, maxAskBytes);
    const held = [run(address.id, longest)];
    await asked(terminal, 1);
    assert.equal([...terminal.asks.open.values()][0]?.length, maxAskBytes);
    const sockets = Array.from({ length: maxOpenAsks - 1 }, (_, n) => speak(address, payload(n)));
    await asked(terminal, maxOpenAsks);
    assert.deepEqual(await run(address.id, payload('more')).end(), [0, '', 'terminull: busy']);
    for (const { socket } of sockets) socket.destroy();
    await asked(terminal, 1);
    const many = Array.from({ length: 8 }, () => speak(address, longest));
    await asked(terminal, 8);
    await untilTrue('the last is refused', () => many.some(each => each.refusal() === 'busy'));
    for (const { socket } of many) socket.destroy();
    held[0]?.process.kill();
    await asked(terminal, 0);
    const after = run(address.id, payload('room again'));
    await asked(terminal, 1);
    after.process.kill();
  });

  /** A hook without a process of its own. */
  function speak({ socketPath, token }: KeeperAddress, text: string, version: number = versionOfAsks) {
    const socket = createConnection(socketPath);
    const reader = new KeeperFrameReader();
    let refusal: string | undefined;
    socket.on('error', () => socket.destroy());
    socket.on('data', chunk => {
      for (const { type, body } of reader.push(chunk) ?? [])
        if (type === keeperFrameType.refused) refusal = keeperRefused.parse(JSON.parse(body.toString())).code;
    });
    const hello = JSON.stringify({ version, newest: keeperVersions.newest, token, hook: { pid: 1 } });
    socket.write(encodeKeeperFrame(keeperFrameType.hello, hello));
    socket.write(encodeKeeperFrame(keeperFrameType.ask, text));
    return { socket, refusal: () => refusal };
  }

  it('is not told of to a bridge of an older version, and waits for one that knows hooks', async () => {
    const started: StartedTerminal = await terminals.run(idle);
    const { socketPath, token } = started.address;
    const hook = run(started.address.id, payload(1));
    await asked(started.terminal, 1);
    const socket = createConnection(socketPath);
    const types: number[] = [];
    const reader = new KeeperFrameReader();
    socket.on('data', chunk => types.push(...(reader.push(chunk) ?? []).map(({ type }) => type)));
    const hello = { version: 1, newest: versionOfAsks - 1, token };
    socket.write(encodeKeeperFrame(keeperFrameType.hello, JSON.stringify(hello)));
    socket.write(encodeKeeperFrame(keeperFrameType.look, '{"id":1,"look":{}}'));
    await untilTrue('it answers', () => types.includes(keeperFrameType.picture));
    assert.ok(!types.includes(keeperFrameType.asked));
    const bridge = await reopen(started.address);
    await asked(bridge, 1);
    bridge.asks.answer(only(bridge), 'ok');
    assert.deepEqual(await hook.end(), [0, 'ok', '']);
    socket.destroy();
  });
});

describe('a hook without its keeper', function () {
  this.timeout(30_000);
  const id = '0123456789abcdef';
  let folder: string;
  let server: Server | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kh-'));
  });
  afterEach(() => {
    server?.close();
    server = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  const writeSpec = (): string => {
    const socketPath = join(folder, id, 's');
    mkdirSync(join(folder, id));
    const spec = {
      version: 1,
      id,
      token: 't'.repeat(40),
      argv: ['x'],
      cwd: '/',
      env: {},
      socketPath,
      unattendedMs: 5_000,
    };
    writeFileSync(join(folder, id, 'spec.json'), JSON.stringify(spec));
    return socketPath;
  };

  it('says nothing, and has not failed: it never began, it is gone, or its folder says nonsense', async () => {
    const silent = [0, '', 'terminull: not_kept'];
    assert.deepEqual(await new Hook(folder, undefined, payload(1)).end(), silent, 'no mark');
    assert.deepEqual(await new Hook(folder, '../../etc', payload(1)).end(), silent, 'no id');
    assert.deepEqual(await new Hook(folder, id, payload(1)).end(), silent, 'no folder');
    writeSpec();
    assert.deepEqual(await new Hook(folder, id, payload(1)).end(), silent, 'nobody listens');
    writeFileSync(join(folder, id, 'spec.json'), '{');
    assert.deepEqual(await new Hook(folder, id, payload(1)).end(), silent, 'nonsense');
  });

  it('is silent, too, with a keeper of an older version, and with one that breaks off or the format', async () => {
    let answer = encodeKeeperFrame(keeperFrameType.refused, '{"code":"incompatible_version"}');
    server = createServer(socket => socket.end(answer)).listen(writeSpec());
    await once(server, 'listening');
    assert.deepEqual(await new Hook(folder, id, payload(1)).end(), [
      0,
      '',
      'terminull: incompatible_version',
    ]);
    answer = Buffer.alloc(0);
    assert.deepEqual(await new Hook(folder, id, payload(1)).end(), [0, '', 'terminull: lost']);
    answer = Buffer.from('GET / HTTP/1.1\r\n');
    assert.deepEqual(await new Hook(folder, id, payload(1)).end(), [0, '', 'terminull: lost']);
    answer = encodeKeeperFrame(keeperFrameType.refused, '{"code":"unheard_of"}');
    assert.deepEqual(await new Hook(folder, id, payload(1)).end(), [
      0,
      '',
      'terminull: incompatible_version',
    ]);
  });
});
