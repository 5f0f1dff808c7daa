import assert from 'node:assert/strict';
import { spawn as sleeper } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node-pty';
import { processStart } from '../../../platform/node/files/processStart.ts';
import { createKeeperPort } from '../../../src/bridge/createKeeperPort.ts';
import { encodeKeeperFrame, KeeperFrameReader, keeperFrameType } from '../../../src/keeper/keeperFrame.ts';
import { commonVersion, keeperSpec, keeperVersions } from '../../../src/keeper/keeperMessage.ts';
import { KeeperClient, type KeeperEvents } from '../../../src/terminal/keeperClient.ts';
import { reopenTerminalProcess } from '../../../src/terminal/terminalProcess.ts';
import { ClientVersion1, KeeperVersion1 } from '../../fakes/keeperVersion1.ts';
import { isAlive, keeperMain, KeptTerminals, untilTrue } from '../../fakes/keptTerminals.ts';

const signal = new AbortController().signal;
const token = 'x'.repeat(43);

class Listener implements KeeperEvents {
  text = '';
  hasExited = false;
  reason = '';
  output = (bytes: Buffer): void => void (this.text += bytes.toString('utf8'));
  exit = (): void => void (this.hasExited = true);
  lost = (reason: string): void => void (this.reason = reason);
}

describe('versions of the keeper’s protocol', () => {
  it('agree on the highest that both speak, or on none', () => {
    const { oldest, newest } = keeperVersions;
    assert.equal(commonVersion({ version: 1 }), 1);
    assert.equal(commonVersion({ version: oldest, newest }), newest);
    assert.equal(commonVersion({ version: newest, newest: newest + 7 }), newest);
    assert.equal(commonVersion({ version: newest + 1, newest: newest + 7 }), undefined);
    assert.equal(commonVersion({ version: oldest - 1 }), undefined);
    assert.equal(commonVersion({ version: newest, newest: oldest }), undefined, 'nonsense');
  });
});

describe('a keeper of version 1 that goes on under a newer extension', function () {
  this.timeout(30_000);
  let folder: string;
  let keeper: KeeperVersion1;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kv-'));
    keeper = new KeeperVersion1(join(folder, 's'), token, process.pid);
  });
  afterEach(() => {
    keeper.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is used for all that it knows, and asked for nothing else', async () => {
    const listener = new Listener();
    const attached = await KeeperClient.attach({ socketPath: join(folder, 's'), token }, listener, signal);
    assert.ok(attached.ok);
    const client = attached.value;
    assert.equal(client.welcome.version, 1);
    const unsupported = { ok: false, code: 'unsupported' };
    assert.deepEqual(await client.look({}, signal), unsupported);
    assert.deepEqual(await client.page({ before: 1, limit: 1 }, signal), unsupported);
    assert.deepEqual(await client.paste('x', { submit: true }, signal), unsupported);
    assert.deepEqual(await client.keys(Buffer.from('x'), signal), unsupported);
    client.write('hello');
    client.acknowledge(0);
    client.interrupt();
    await untilTrue('it answers', () => listener.text === '<hello>');
    client.end(0);
    await untilTrue('it ends', () => listener.hasExited);
    assert.equal(keeper.isBroken, false);
  });

  it('is found again as a terminal', async () => {
    const address = { id: '0123456789abcdef', socketPath: join(folder, 's'), token, directory: folder };
    const reopened = await reopenTerminalProcess(address, signal);
    assert.ok(reopened.ok);
    assert.deepEqual(await reopened.value.paste('x', { submit: true }, signal), {
      ok: false,
      code: 'unsupported',
    });
    reopened.value.dispose();
    assert.equal(keeper.isBroken, false);
  });

  it('is shown by a newer attach', async () => {
    const spec = {
      version: 1,
      id: '0123456789abcdef',
      token,
      argv: ['true'],
      cwd: folder,
      env: {},
      socketPath: join(folder, 's'),
      unattendedMs: 60_000,
      terminal: { columns: 80, rows: 24 },
    };
    writeFileSync(join(folder, 'spec.json'), JSON.stringify(spec));
    const user = spawn(process.execPath, [keeperMain, 'attach', folder], {
      env: { PATH: process.env.PATH ?? '' },
    });
    let text = '';
    user.onData(data => (text += data));
    await untilTrue('the screen', () => text.includes('screen of version 1'));
    user.write('key');
    await untilTrue('the answer', () => text.includes('<key>'));
    const exited = new Promise(resolve => user.onExit(resolve));
    user.kill('SIGHUP');
    await exited;
    assert.equal(keeper.isBroken, false);
  });
});

describe('a newer keeper under an extension of version 1', function () {
  this.timeout(30_000);
  let terminals: KeptTerminals;
  beforeEach(() => (terminals = new KeptTerminals()));
  afterEach(() => terminals.dispose());

  it('speaks version 1 to its bridge and to its desk, and nothing that they do not know', async () => {
    const { terminal, address, keeperPid } = await terminals.run(`
      process.stdin.setRawMode(true);
      process.stdin.on('data', bytes => process.stdout.write('<' + bytes + '>'));
      process.stdout.write('ready');`);
    const first = await terminal.look({}, signal);
    let picture = first.ok ? first.value : assert.fail(first.code);
    while (!JSON.stringify(picture).includes('ready')) {
      const next = await terminal.look({ after: picture.revision }, signal);
      picture = next.ok ? next.value : assert.fail(next.code);
    }
    const waiting = terminal.look({ after: picture.revision }, signal);
    const bridge = new ClientVersion1(address);
    await untilTrue('the bridge is in', () => bridge.told.has(bridge.types.welcome));
    const desk = new ClientVersion1(address, { pid: process.pid, size: { columns: 80, rows: 24 } });
    await untilTrue('it hears of the desk', () => bridge.told.has(bridge.types.desk));
    assert.equal((await waiting).ok, false, 'the newer bridge has made room');
    assert.deepEqual(bridge.told.get(bridge.types.welcome), {
      version: 1,
      agentPid: terminal.pid,
      keeperPid,
      heldFrom: 5,
      outputEnd: 5,
      deskPid: 0,
    });
    await untilTrue('the desk has the screen', () => desk.text.includes('ready'));
    desk.input('a');
    await untilTrue('the desk has typed', () => desk.text.includes('<a>'));
    bridge.input('b');
    await untilTrue('the bridge has typed', () => desk.text.includes('<b>'));
    bridge.end();
    await untilTrue('both are told of the end', () => bridge.isClosed && desk.isClosed);
    assert.ok(bridge.told.has(bridge.types.exit) && desk.told.has(desk.types.exit));
    assert.deepEqual([bridge.isBroken, desk.isBroken], [false, false]);
  });

  it('leaves a spec that version 1 reads', async () => {
    const { address } = await terminals.run('setInterval(() => undefined, 1000)');
    const spec: unknown = JSON.parse(readFileSync(join(address.directory ?? '', 'spec.json'), 'utf8'));
    assert.equal(keeperSpec.parse(spec).version, 1);
  });

  it('refuses by name who is too new or too old, and leaves out what it does not know', async () => {
    const { address } = await terminals.run('setInterval(() => undefined, 1000)');
    for (const versions of [
      { version: keeperVersions.newest + 1, newest: 9 },
      { version: 0 },
      { version: 99 },
    ])
      assert.equal(await refusalOf(address, { ...versions, token: address.token }), 'incompatible_version');
    const socket = createConnection(address.socketPath);
    const hello = { version: 1, newest: 99, token: address.token, unheardOf: true };
    socket.write(encodeKeeperFrame(keeperFrameType.hello, JSON.stringify(hello)));
    socket.write(encodeKeeperFrame(99, 'from the future'));
    socket.write(encodeKeeperFrame(keeperFrameType.look, '{"id":1,"look":{},"unheardOf":true}'));
    const types: number[] = [];
    const reader = new KeeperFrameReader();
    socket.on('data', chunk => types.push(...(reader.push(chunk) ?? []).map(({ type }) => type)));
    await untilTrue('it still answers', () => types.includes(keeperFrameType.picture));
    socket.destroy();
  });

  function refusalOf(address: { readonly socketPath: string }, hello: object): Promise<unknown> {
    return new Promise(resolve => {
      let code: unknown;
      const reader = new KeeperFrameReader();
      const socket = createConnection(address.socketPath);
      socket.write(encodeKeeperFrame(keeperFrameType.hello, JSON.stringify(hello)));
      socket.on('data', chunk => {
        for (const { body } of reader.push(chunk) ?? []) {
          const told: unknown = JSON.parse(body.toString());
          if (typeof told === 'object' && told !== null && 'code' in told) ({ code } = told);
        }
      });
      socket.on('close', () => resolve(code));
    });
  }
});

describe('a keeper of a future version', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'kf-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** What comes of a keeper that answers so. */
  async function meet(...answers: readonly Buffer[]) {
    const socketPath = join(folder, 's');
    const server = createServer(socket => socket.end(Buffer.concat(answers)));
    server.listen(socketPath);
    const listener = new Listener();
    const attached = await KeeperClient.attach({ socketPath, token }, listener, signal);
    server.close();
    return { attached, listener };
  }
  const welcome = (version: number): Buffer =>
    encodeKeeperFrame(
      keeperFrameType.welcome,
      JSON.stringify({ version, agentPid: 1, keeperPid: 1, heldFrom: 0, outputEnd: 0, unheardOf: [] }),
    );
  const refused = (code: string): Buffer =>
    encodeKeeperFrame(keeperFrameType.refused, JSON.stringify({ code }));

  it('that speaks nothing we know is named so, whatever it says', async () => {
    const incompatible = { ok: false, code: 'incompatible_version' };
    assert.deepEqual((await meet(refused('incompatible_version'))).attached, incompatible);
    assert.deepEqual((await meet(refused('a reason of the future'))).attached, incompatible);
    assert.deepEqual((await meet(welcome(keeperVersions.newest + 1))).attached, incompatible);
    assert.deepEqual((await meet(welcome(keeperVersions.oldest - 1))).attached, incompatible);
  });

  for (const terminal of [false, true])
    it(`is left at its work when it does not speak with us, and ended when its user wants that (${terminal ? 'terminal' : 'pipes'}) [D1]`, async () => {
      const [keeper, agent] = [0, 1].map(() =>
        sleeper(process.execPath, ['-e', 'setInterval(() => 0, 1000)']),
      );
      assert.ok(keeper?.pid !== undefined && agent?.pid !== undefined);
      const directory = join(folder, '0123456789abcdef');
      mkdirSync(directory, { mode: 0o700 });
      const trace = {
        keeperPid: keeper.pid,
        keeperStart: processStart(keeper.pid),
        agentPid: agent.pid,
        agentStart: processStart(agent.pid),
        unheardOf: 1,
      };
      writeFileSync(join(directory, 'trace.json'), JSON.stringify(trace));
      const socketPath = join(directory, 's');
      const server = createServer(socket => socket.end(refused('incompatible_version'))).listen(socketPath);
      const address = { id: '0123456789abcdef', socketPath, token, directory, terminal };
      const port = createKeeperPort(
        { runtimeDirectory: folder, runtime: [], unattendedMs: 60_000 },
        AbortSignal.timeout(30_000),
      );
      try {
        const reopened = await (terminal ? port.reopenTerminal(address) : port.reopen(address));
        assert.deepEqual(reopened, { ok: false, code: 'other_version' });
        assert.ok(isAlive(keeper.pid) && isAlive(agent.pid) && existsSync(socketPath));
        await port.endOtherVersion(address);
        await untilTrue('both have ended', () => keeper.signalCode !== null && agent.signalCode !== null);
        assert.equal(existsSync(directory), false);
      } finally {
        server.close();
        keeper.kill('SIGKILL');
        agent.kill('SIGKILL');
      }
    });

  it('that says more than we know is understood in what we know', async () => {
    const output = Buffer.concat([Buffer.alloc(8), Buffer.from('text')]);
    const { attached, listener } = await meet(
      encodeKeeperFrame(99, 'before'),
      welcome(keeperVersions.newest),
      encodeKeeperFrame(200, 'between'),
      encodeKeeperFrame(keeperFrameType.output, output),
    );
    assert.ok(attached.ok);
    await untilTrue('it has ended', () => listener.reason !== '');
    assert.equal(listener.text, 'text');
  });
});
