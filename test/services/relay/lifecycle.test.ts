import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { nodeLink } from '../../../platform/node/nodeLink.ts';
import { readConfig } from '../../../relay/relayConfig.ts';
import { createRelayLog } from '../../../relay/relayLog.ts';
import { startRelay } from '../../../relay/startRelay.ts';
import { RelayHarness } from './relayHarness.ts';
import { newIdentity, TestBridge } from './testBridge.ts';
import { claim, openPairing, startPairing, TestPhone } from './testPhone.ts';
import { TestSocket } from './testSocket.ts';

const ENTRY = join(import.meta.dirname, '..', '..', '..', 'relay', 'main.ts');

function spawnRelay(env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [ENTRY], {
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** What a process said before it ended. */
async function outcome(child: ChildProcess): Promise<{ code: unknown; out: string; err: string }> {
  assert.ok(child.stdout !== null && child.stderr !== null);
  const ended = once(child, 'exit');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const code: unknown = (await ended).at(0);
  return { code, out, err };
}

describe('relay: life of the process', () => {
  let directory: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'relay life 暮 .'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  });

  function run(env: NodeJS.ProcessEnv): ChildProcess {
    const child = spawnRelay(env);
    children.push(child);
    return child;
  }

  async function listening(child: ChildProcess): Promise<string> {
    assert.ok(child.stdout !== null);
    const line: unknown = (await once(createInterface({ input: child.stdout }), 'line')).at(0);
    const said: unknown = JSON.parse(String(line));
    assert.ok(typeof said === 'object' && said !== null && 'url' in said);
    assert.deepEqual(said, { event: 'listening', url: said.url });
    assert.match(String(said.url), /^http:\/\/127\.0\.0\.1:\d+$/);
    return String(said.url);
  }

  it('says where it listens, keeps its data to its owner, logs JSON, and stops with 1012 and exit 0', async () => {
    const data = join(directory, 'data');
    const child = run({ DATA_DIR: data });
    assert.ok(child.stderr !== null);
    const log = text(child.stderr);
    const url = await listening(child);
    const socket = await TestSocket.connect(url);
    assert.equal((await fetch(`${url}/v1/health`)).status, 200);
    assert.equal((await stat(data)).mode & 0o777, 0o700);
    for (const file of await readdir(data))
      assert.equal((await stat(join(data, file))).mode & 0o077, 0, file);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await socket.ending, { code: 1012, reason: 'service_restart' });
    assert.deepEqual(await ended, [0, null]);
    const lines = (await log).trim().split('\n');
    for (const line of lines) assert.doesNotThrow(() => void JSON.parse(line), line);
  });

  it('refuses a data directory that another relay uses, in one sentence', async () => {
    const env = { DATA_DIR: join(directory, 'data') };
    await listening(run(env));
    const second = await outcome(run(env));
    assert.equal(second.code, 69);
    assert.equal(second.out, '');
    assert.equal(second.err, `The data directory ${env.DATA_DIR} is in use by another relay.\n`);
  });

  it('refuses bad settings in one sentence and with exit 78', async () => {
    const bad = [
      ['PORT', '70000'],
      ['PORT', 'x'],
      ['HOST', 'a b'],
      ['PUBLIC_URL', 'ftp://relay.example'],
      ['PUBLIC_URL', 'https://relay.example/path'],
      ['LOG_LEVEL', 'loud'],
    ] as const;
    for (const [name, value] of bad) {
      const read = readConfig({ [name]: value }, import.meta.url);
      assert.ok(!read.ok, `${name}=${value}`);
      assert.match(read.sentence, new RegExp(`^${name} [^\\n]*\\.$`));
    }
    for (const [name, value] of [bad[0], ['HOST', '192.0.2.1']] as const) {
      const ended = await outcome(run({ DATA_DIR: directory, [name]: value }));
      assert.equal(ended.code, 78, `${name}=${value}`);
      assert.match(ended.err, new RegExp(`^[^\\n]*${name}[^\\n]*\\.\\n$`));
    }
  });

  it('frees its lock when it is killed, and keeps what it confirmed [T44]', async () => {
    const relay = await RelayHarness.start();
    const bridge = await TestBridge.register(relay);
    const phone = await TestPhone.pair(relay, bridge);
    const gone = await TestPhone.pair(relay, bridge);
    await relay.call('DELETE', `/v1/devices/${gone.deviceId}`, { token: bridge.token });
    await relay.halt();
    await relay.run();
    await (await phone.sendHello(relay)).next('relay_status');
    assert.equal((await (await gone.sendHello(relay)).ending).code, 4403);
    await relay.dispose();

    const env = { DATA_DIR: join(directory, 'data') };
    const killed = run(env);
    await listening(killed);
    const ended = once(killed, 'exit');
    killed.kill('SIGKILL');
    await ended;
    await listening(run(env));
  });

  it('does not open one directory twice in one process either', async () => {
    const relay = await RelayHarness.start();
    const log = createRelayLog('silent', process.stderr);
    const { config, clock } = relay;
    const second = await startRelay({ config, clock, port: nodeLink, log, version: '0' });
    assert.deepEqual(second, { ok: false, code: 'locked' });
    await relay.dispose();
  });

  for (const encoding of ['json', 'binary'] as const)
    it(`writes no token, key or content into its log or its database, in ${encoding} [T6]`, async () => {
      const relay = await RelayHarness.start();
      const bridge = await TestBridge.register(relay, newIdentity(), { sessions: ['s1'], encoding });
      const ticket = await claim(relay, await startPairing(relay, bridge));
      await (await openPairing(relay, ticket)).next('relay_status');
      const phone = await TestPhone.pair(relay, bridge);
      const tokens = [bridge.token, ticket, phone.access, phone.refresh];
      phone.take(await phone.refreshWith(relay, phone.refresh));
      const socket = await phone.connect(relay, encoding);
      const canary = Buffer.from('canary: the very words of a prompt, sealed or not');
      bridge.block({ sessionId: 's1', dest: phone.deviceId, enc: canary });
      await socket.next('block');
      socket.send({ type: 'control', session_id: 's1', enc: canary.toString('base64'), server_ts: 1 });
      await bridge.socket.next('control');
      bridge.block({ sessionId: 's1', dest: phone.deviceId, sig: Buffer.alloc(16).toString('base64') });
      await bridge.socket.ending;
      await relay.halt();

      assert.ok(relay.logLines.length > 10);
      const files = await readdir(relay.config.dataDir);
      const stored = await Promise.all(
        files.map(file => readFile(join(relay.config.dataDir, file), 'latin1')),
      );
      const kept = relay.logLines.join('') + stored.join('');
      assert.ok(kept.includes(phone.deviceId));
      const secrets = [...tokens, phone.access, phone.refresh, 'canary', canary.toString('base64')];
      for (const secret of secrets) assert.equal(kept.includes(secret), false);
      await relay.dispose();
    });
});
