import assert from 'node:assert/strict';
import { RelayHarness } from './relayHarness.ts';
import { TestBridge } from './testBridge.ts';
import { TestPhone } from './testPhone.ts';

describe('relay: refresh tokens', () => {
  let relay: RelayHarness;
  let bridge: TestBridge;
  let phone: TestPhone;
  beforeEach(async () => {
    relay = await RelayHarness.start();
    bridge = await TestBridge.register(relay);
    phone = await TestPhone.pair(relay, bridge);
  });
  afterEach(() => relay.dispose());

  it('rotate: each gives a new pair that works', async () => {
    const before = phone.refresh;
    await relay.pass(16 * 60_000);
    const answer = await phone.refreshWith(relay, phone.refresh);
    assert.equal(answer.status, 200);
    phone.take(answer);
    assert.notEqual(phone.refresh, before);
    await phone.connect(relay);
    await relay.pass(16 * 60_000);
    phone.take(await phone.refreshWith(relay, phone.refresh));
    await phone.connect(relay);
  });

  it('work again within a minute when the answer was lost', async () => {
    await phone.refreshWith(relay, phone.refresh);
    await relay.pass(50_000);
    const again = await phone.refreshWith(relay, phone.refresh);
    assert.equal(again.status, 200);
    phone.take(again);
    assert.equal((await phone.refreshWith(relay, phone.refresh)).status, 200);
  });

  it('used again later end every token and socket of the device', async () => {
    const first = phone.refresh;
    phone.take(await phone.refreshWith(relay, first));
    const socket = await phone.connect(relay);
    await relay.pass(61_000);
    assert.equal((await phone.refreshWith(relay, first)).status, 401);
    assert.equal((await socket.ending).code, 4401);
    assert.equal((await phone.refreshWith(relay, phone.refresh)).status, 401);
    assert.equal((await (await phone.sendHello(relay)).ending).code, 4401);
  });

  it('used again after their successor was used end the family at once', async () => {
    const first = phone.refresh;
    phone.take(await phone.refreshWith(relay, first));
    phone.take(await phone.refreshWith(relay, phone.refresh));
    assert.equal((await phone.refreshWith(relay, first)).status, 401);
    assert.equal((await phone.refreshWith(relay, phone.refresh)).status, 401);
  });

  it('are worth nothing without the device key, not even to end the family [F68]', async () => {
    const first = phone.refresh;
    const thief = new TestPhone();
    assert.equal((await phone.refreshWith(relay, first, thief)).status, 401);
    phone.take(await phone.refreshWith(relay, first));
    await relay.pass(61_000);
    assert.equal((await phone.refreshWith(relay, first, thief)).status, 401);
    assert.equal((await phone.refreshWith(relay, phone.refresh)).status, 200);
  });

  it('of another device are refused', async () => {
    const other = await TestPhone.pair(relay, bridge);
    assert.equal((await phone.refreshWith(relay, other.refresh)).status, 401);
    assert.equal((await other.refreshWith(relay, other.refresh)).status, 200);
  });

  it('end after 30 days', async () => {
    relay.clock.push(30 * 24 * 3_600_000);
    assert.equal((await phone.refreshWith(relay, phone.refresh)).status, 401);
  });
});
