import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { RelayHarness } from './relayHarness.ts';
import { base64, newIdentity, TestBridge, type RegisterOptions } from './testBridge.ts';
import { TestPhone } from './testPhone.ts';
import { TestSocket } from './testSocket.ts';

describe('relay: a bridge registers', () => {
  let relay: RelayHarness;
  beforeEach(async () => {
    relay = await RelayHarness.start();
  });
  afterEach(() => relay.dispose());

  async function refused(options: RegisterOptions): Promise<void> {
    const bridge = await TestBridge.send(relay, newIdentity(), options);
    assert.equal((await bridge.socket.next('error')).code, 'unauthorized');
    assert.deepEqual(await bridge.socket.ending, { code: 4401, reason: 'unauthorized' });
  }

  it('is told its limits and a token when signature and key agreement hold [K14]', async () => {
    const bridge = await TestBridge.send(relay, newIdentity(), { sessions: ['s1'], agents: ['claude'] });
    const answer = await bridge.socket.next('registered');
    assert.deepEqual(answer.limits, { frame: 262_144, in_flight: 16, queue: 64 });
    assert.match(String(answer.access_token), /^[\w-]{43}$/);
  });

  it('holds the sessions that it names: another window that names one of them is told, until it goes [T43]', async () => {
    const identity = newIdentity();
    const first = await TestBridge.register(relay, identity, { sessions: ['s1', 's2'] });
    const second = await TestBridge.send(relay, identity, { sessions: ['s2', 's3'] });
    await second.socket.next('registered');
    const refusal = await second.socket.next('error');
    assert.deepEqual([refusal.code, refusal.session_id], ['busy', 's2']);
    await first.socket.close();
    const third = await TestBridge.register(relay, identity, { sessions: ['s1', 's2'] });
    const fourth = await TestBridge.send(relay, identity, { sessions: ['s1'] });
    await fourth.socket.next('registered');
    assert.equal((await fourth.socket.next('error')).session_id, 's1', 'the one that came after it holds it');
    await third.socket.close();
  });

  it('is refused when any signed field was changed', async () => {
    await refused({ spoil: frame => (frame.agents = ['other']) });
    await refused({ spoil: frame => (frame.resumable_session_ids = ['s9']) });
    await refused({ spoil: frame => (frame.instance_id = randomBytes(16).toString('hex')) });
    await refused({ spoil: frame => (frame.sig_mode = 'ed25519') });
  });

  it('is refused under a bridge id that is not the hash of its key', async () => {
    const other = await TestBridge.register(relay);
    await refused({ spoil: frame => (frame.bridge_id = other.bridgeId) });
    await refused({ spoil: frame => (frame.k_b = base64(other.identity.publicKey)) });
  });

  it('is refused with a low-order key, though its signature holds [K9]', async () => {
    await refused({ eB: new Uint8Array(32) });
    await refused({ eB: Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0)) });
  });

  it('is refused when it signed for another relay', async () => {
    await refused({ origin: 'wss://relay.example' });
  });

  it('is refused when a register of an earlier connection is replayed [F68]', async () => {
    const bridge = await TestBridge.register(relay);
    const thief = await TestSocket.connect(relay.url);
    thief.send(bridge.registered);
    assert.equal((await thief.next('error')).code, 'unauthorized');
    assert.equal((await thief.ending).code, 4401);
  });

  it('coexists with other windows of the same bridge and replaces only its own older socket [D6]', async () => {
    const identity = newIdentity();
    const first = await TestBridge.register(relay, identity);
    const second = await TestBridge.register(relay, identity);
    const phone = await TestPhone.pair(relay, first);
    const socket = await phone.sendHello(relay);
    const status = await socket.next('relay_status');
    assert.deepEqual(status.instances, [first.instanceId, second.instanceId]);

    const again = await TestBridge.register(relay, identity, { instanceId: first.instanceId });
    assert.deepEqual(await first.socket.ending, { code: 4409, reason: 'replaced' });
    assert.equal((await socket.next('bridge_gone')).instance_id, first.instanceId);
    assert.deepEqual((await socket.next('relay_status')).instances, [second.instanceId]);
    assert.deepEqual((await socket.next('relay_status')).instances, [second.instanceId, first.instanceId]);
    assert.equal((await relay.call('GET', '/v1/devices', { token: first.token })).status, 401);
    assert.equal((await relay.call('GET', '/v1/devices', { token: again.token })).status, 200);
  });

  it('may not claim a session that another living window holds', async () => {
    const identity = newIdentity();
    await TestBridge.register(relay, identity, { sessions: ['s1'] });
    const second = await TestBridge.register(relay, identity, { sessions: ['s1', 's2'] });
    const error = await second.socket.next('error');
    assert.equal(error.code, 'busy');
    assert.equal(error.session_id, 's1');
    second.socket.send({ type: 'session_opened', session_id: 's1', instance_id: second.instanceId });
    assert.equal((await second.socket.next('error')).code, 'busy');
  });

  it('may not announce the reserved sessions', async () => {
    const bridge = await TestBridge.send(relay, newIdentity(), { sessions: ['pair:0123456789abcdef'] });
    assert.equal((await bridge.socket.ending).code, 4400);
  });
});
