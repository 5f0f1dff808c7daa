import assert from 'node:assert/strict';
import { RelayHarness } from './relayHarness.ts';
import { newIdentity, TestBridge } from './testBridge.ts';
import { TestPhone } from './testPhone.ts';
import type { TestSocket } from './testSocket.ts';

async function assertRefused(socket: TestSocket, code: string, close: number): Promise<void> {
  assert.equal((await socket.next('error')).code, code);
  assert.equal((await socket.ending).code, close);
}

describe('relay: a paired phone says hello', () => {
  let relay: RelayHarness;
  let bridge: TestBridge;
  let phone: TestPhone;
  beforeEach(async () => {
    relay = await RelayHarness.start();
    bridge = await TestBridge.register(relay, newIdentity(), { agents: ['claude', 'codex'] });
    phone = await TestPhone.pair(relay, bridge);
  });
  afterEach(() => relay.dispose());

  it('learns which windows and agents are there, and again whenever that changes [T46]', async () => {
    const socket = await phone.sendHello(relay);
    const status = await socket.next('relay_status');
    assert.equal(status.bridge_online, true);
    assert.deepEqual(status.instances, [bridge.instanceId]);
    assert.deepEqual(status.agents, ['claude', 'codex']);
    assert.deepEqual(status.resume_tokens, {});

    await bridge.socket.close();
    assert.equal((await socket.next('bridge_gone')).instance_id, bridge.instanceId);
    const after = await socket.next('relay_status');
    assert.equal(after.bridge_online, false);
    assert.deepEqual(after.agents, []);
  });

  it('is refused once its access token is 15 minutes old', async () => {
    await relay.pass(15 * 60_000 - 5_000);
    const inTime = await phone.sendHello(relay);
    await inTime.next('relay_status');
    await relay.pass(5_000);
    await assertRefused(await phone.sendHello(relay), 'unauthorized', 4401);
  });

  it('is refused with another token, key, relay or device', async () => {
    const other = await TestPhone.pair(relay, bridge);
    await assertRefused(await phone.sendHello(relay, { access: other.access }), 'unauthorized', 4401);
    await assertRefused(await phone.sendHello(relay, { access: 'x' }), 'unauthorized', 4401);
    await assertRefused(await phone.sendHello(relay, { signer: other }), 'unauthorized', 4401);
    const elsewhere = await phone.sendHello(relay, { origin: 'wss://relay.example' });
    await assertRefused(elsewhere, 'unauthorized', 4401);
    await assertRefused(
      await new TestPhone().sendHello(relay, { access: phone.access }),
      'unauthorized',
      4401,
    );
  });

  it('is cut off within the call that revokes it, and told so when it comes back [F60]', async () => {
    const socket = await phone.connect(relay);
    const deleted = await relay.call('DELETE', `/v1/devices/${phone.deviceId}`, { token: bridge.token });
    assert.equal(deleted.status, 204);
    assert.deepEqual(await socket.ending, { code: 4403, reason: 'revoked' });
    assert.equal((await bridge.socket.next('client_gone')).device_id, phone.deviceId);
    await assertRefused(await phone.sendHello(relay), 'revoked', 4403);
    assert.equal((await phone.refreshWith(relay, phone.refresh)).status, 403);
    const again = await TestPhone.pair(relay, bridge);
    await again.connect(relay);
  });

  it('does not tell a stranger that a device was revoked', async () => {
    await relay.call('DELETE', `/v1/devices/${phone.deviceId}`, { token: bridge.token });
    await assertRefused(await phone.sendHello(relay, { signer: new TestPhone() }), 'unauthorized', 4401);
  });

  it('has one socket: the newest wins and the bridge hears that the old one went', async () => {
    const first = await phone.connect(relay);
    const second = await phone.connect(relay);
    assert.deepEqual(await first.ending, { code: 4409, reason: 'replaced' });
    assert.equal((await bridge.socket.next('client_gone')).device_id, phone.deviceId);
    second.send({ type: 'control', session_id: `ctl:${bridge.instanceId}`, enc: 'AAAA', server_ts: 1 });
    assert.equal((await bridge.socket.next('control')).device_id, phone.deviceId);
  });

  it('must wait for its status before it speaks', async () => {
    const socket = await phone.sendHello(relay);
    socket.send({ type: 'control', session_id: `ctl:${bridge.instanceId}`, enc: 'AAAA', server_ts: 1 });
    // Either it was quick enough to be refused, or the lookup was quicker and the frame arrives.
    const outcome = await Promise.race([
      socket.ending.then(ending => ending.code),
      bridge.socket.next('control').then(() => 'forwarded'),
    ]);
    assert.ok(outcome === 4401 || outcome === 'forwarded', String(outcome));
  });

  it('may come from the app that this relay serves, and from no other page [F69]', async () => {
    const own = await phone.sendHello(relay, { client: { origin: relay.url } });
    await own.next('relay_status');
    for (const origin of ['https://evil.example', 'null', relay.url.replace('127.0.0.1', 'localhost')])
      await assert.rejects(phone.sendHello(relay, { client: { origin } }), /403/);
  });
});
