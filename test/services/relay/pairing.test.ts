import assert from 'node:assert/strict';
import { apiError } from '../../../core/protocol/httpApi.ts';
import { RelayHarness, type Answer } from './relayHarness.ts';
import { base64, newIdentity, TestBridge } from './testBridge.ts';
import { claim, openPairing, startPairing, TestPhone } from './testPhone.ts';

function tryClaim(relay: RelayHarness, pairId: string): Promise<Answer> {
  return relay.call('POST', '/v1/pair/claim', { body: { pair_id: pairId } });
}

function refusal(answer: Answer): unknown {
  return [answer.status, apiError.parse(answer.body).error];
}

describe('relay: pairing', () => {
  let relay: RelayHarness;
  let bridge: TestBridge;
  beforeEach(async () => {
    relay = await RelayHarness.start();
    bridge = await TestBridge.register(relay);
  });
  afterEach(() => relay.dispose());

  it('gives a ticket that opens one socket, once', async () => {
    const ticket = await claim(relay, await startPairing(relay, bridge));
    await (await openPairing(relay, ticket)).next('relay_status');
    const second = await openPairing(relay, ticket);
    assert.equal((await second.next('error')).code, 'unauthorized');
    assert.equal((await second.ending).code, 4401);
  });

  it('refuses an unknown, a used, a worn-out and an expired code alike', async () => {
    const unknown = refusal(await tryClaim(relay, 'A'.repeat(22)));
    assert.deepEqual(unknown, [
      404,
      { code: 'unauthorized', message: 'This code does not work. Make a new one at the desk.' },
    ]);

    const used = await startPairing(relay, bridge);
    await (await openPairing(relay, await claim(relay, used))).next('relay_status');
    assert.deepEqual(refusal(await tryClaim(relay, used)), unknown);

    const worn = await startPairing(relay, bridge);
    for (let tries = 0; tries < 5; tries++) await claim(relay, worn);
    assert.deepEqual(refusal(await tryClaim(relay, worn)), unknown);

    const expired = await startPairing(relay, bridge);
    const late = await claim(relay, expired);
    await relay.pass(300_000);
    assert.deepEqual(refusal(await tryClaim(relay, expired)), unknown);
    assert.equal((await (await openPairing(relay, late)).ending).code, 4401);
  });

  it('can be claimed again when an answer was lost, and then the older ticket is dead', async () => {
    const pairId = await startPairing(relay, bridge);
    const lost = await claim(relay, pairId);
    const ticket = await claim(relay, pairId);
    assert.equal((await (await openPairing(relay, lost)).ending).code, 4401);
    await (await openPairing(relay, ticket)).next('relay_status');
  });

  it('lets one address try ten times in 300 seconds', async () => {
    for (let tries = 0; tries < 10; tries++)
      assert.equal((await tryClaim(relay, 'B'.repeat(22))).status, 404);
    const limited = await tryClaim(relay, 'B'.repeat(22));
    assert.equal(limited.status, 429);
    const { error } = apiError.parse(limited.body);
    assert.equal(error.code, 'rate_limited');
    assert.ok((error.retry_after_s ?? 0) > 290);
    assert.equal(limited.headers.get('retry-after'), String(error.retry_after_s));
    await relay.pass(300_000);
    assert.equal((await tryClaim(relay, 'B'.repeat(22))).status, 404);
  });

  it('is confirmed once, by the bridge that began it, and only after a phone came', async () => {
    const phone = new TestPhone();
    const pairId = await startPairing(relay, bridge);
    assert.equal((await phone.confirm(relay, bridge, pairId)).status, 404);
    await (await openPairing(relay, await claim(relay, pairId))).next('relay_status');
    const other = await TestBridge.register(relay, newIdentity());
    assert.equal((await phone.confirm(relay, other, pairId)).status, 404);
    const confirmed = await phone.confirm(relay, bridge, pairId);
    assert.equal(confirmed.status, 200);
    phone.take(confirmed);
    assert.equal((await new TestPhone().confirm(relay, bridge, pairId)).status, 404);
    await phone.connect(relay);
  });

  it('is over when the code was not typed in time', async () => {
    const pairId = await startPairing(relay, bridge);
    await (await openPairing(relay, await claim(relay, pairId))).next('relay_status');
    await relay.pass(120_000);
    assert.equal((await new TestPhone().confirm(relay, bridge, pairId)).status, 404);
  });

  it('ends when the desk cancels it', async () => {
    const pairId = await startPairing(relay, bridge);
    const socket = await openPairing(relay, await claim(relay, pairId));
    await socket.next('relay_status');
    const body = { pair_id: pairId };
    const cancelled = await relay.call('POST', '/v1/pair/cancel', { token: bridge.token, body });
    assert.equal(cancelled.status, 204);
    assert.equal((await socket.ending).code, 4401);
    assert.equal((await new TestPhone().confirm(relay, bridge, pairId)).status, 404);
    assert.equal((await tryClaim(relay, pairId)).status, 404);
  });

  it('is bounded per bridge, and each window pairs for itself', async () => {
    for (let count = 0; count < 4; count++) await startPairing(relay, bridge);
    const body = { bridge_id: bridge.bridgeId, instance_id: bridge.instanceId };
    const fifth = await relay.call('POST', '/v1/pair/start', { token: bridge.token, body });
    assert.equal(fifth.status, 429);
    const other = await TestBridge.register(relay, newIdentity());
    assert.equal((await relay.call('POST', '/v1/pair/start', { token: other.token, body })).status, 403);
    await relay.pass(120_000);
    await startPairing(relay, bridge);
  });

  it('stops at 32 devices a bridge', async function () {
    this.timeout(60_000);
    const phones: TestPhone[] = [];
    for (let count = 0; count < 32; count++) {
      phones.push(await TestPhone.pair(relay, bridge));
      await relay.pass(40_000);
    }
    const pairId = await startPairing(relay, bridge);
    await (await openPairing(relay, await claim(relay, pairId))).next('relay_status');
    const refused = await new TestPhone().confirm(relay, bridge, pairId);
    assert.deepEqual([refused.status, apiError.parse(refused.body).error.code], [409, 'busy']);
    const first = phones[0];
    assert.ok(first !== undefined);
    await relay.call('DELETE', `/v1/devices/${first.deviceId}`, { token: bridge.token });
    await TestPhone.pair(relay, bridge);
  });

  it('needs a live bridge token, a JSON body of the right shape, and a device id that is free', async () => {
    const body = { bridge_id: bridge.bridgeId, instance_id: bridge.instanceId };
    assert.equal((await relay.call('POST', '/v1/pair/start', { body })).status, 401);
    assert.equal((await relay.call('POST', '/v1/pair/start', { body, token: 'x' })).status, 401);
    const more = { ...body, more: 1 };
    assert.equal(
      (await relay.call('POST', '/v1/pair/start', { body: more, token: bridge.token })).status,
      400,
    );
    const phone = await TestPhone.pair(relay, bridge);
    const pairId = await startPairing(relay, bridge);
    await (await openPairing(relay, await claim(relay, pairId))).next('relay_status');
    const taken = await phone.confirm(relay, bridge, pairId);
    assert.deepEqual([taken.status, apiError.parse(taken.body).error.code], [409, 'request_conflict']);
    await bridge.socket.close();
    await assert.doesNotReject(async () => {
      const dead = await relay.call('POST', '/v1/pair/start', { body, token: bridge.token });
      assert.equal(dead.status, 401);
    });
  });

  it('lists what was paired, without keys or tokens', async () => {
    const phone = await TestPhone.pair(relay, bridge);
    await phone.connect(relay);
    const listed = await relay.call('GET', '/v1/devices', { token: bridge.token });
    assert.equal(listed.status, 200);
    const text = JSON.stringify(listed.body);
    assert.match(text, new RegExp(`"device_id":"${phone.deviceId}","role":"owner"`));
    assert.match(text, /"online":true/);
    for (const secret of [phone.access, phone.refresh, base64(phone.publicKey)])
      assert.equal(text.includes(secret), false);
  });
});
