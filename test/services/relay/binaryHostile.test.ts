import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { decodeBinaryEnvelope } from '../../../core/protocol/envelope/binaryEnvelope.ts';
import { toBytes } from '../../fakes/envelopeBytes.ts';
import { RelayHarness } from './relayHarness.ts';
import { base64, TestBridge } from './testBridge.ts';
import { TestPhone } from './testPhone.ts';
import { TestSocket } from './testSocket.ts';

const enc = randomBytes(284);
/** Where things are in the block below: after 11 bytes of header, "s1", and the device. */
const sessionAt = 12;
const destAt = 15;

describe('relay: hostile and broken peers in binary [D7]', () => {
  let relay: RelayHarness;
  let bridge: TestBridge;
  let phone: TestPhone;
  let socket: TestSocket;
  beforeEach(async () => {
    relay = await RelayHarness.start();
    bridge = await TestBridge.register(relay, undefined, { sessions: ['s1'], encoding: 'binary' });
    phone = await TestPhone.pair(relay, bridge);
    socket = await phone.connect(relay, 'binary');
  });
  afterEach(() => relay.dispose());

  /** The bystanders still talk, both ways. */
  async function assertUndisturbed(): Promise<void> {
    bridge.block({ sessionId: 's1', dest: phone.deviceId });
    await socket.next('block');
    socket.send({ type: 'control', session_id: 's1', enc: base64(enc), server_ts: 1 });
    await bridge.socket.next('control');
  }

  async function assertEnds(victim: TestSocket, code: string, close: number): Promise<void> {
    assert.equal((await victim.next('error')).code, code);
    assert.equal((await victim.ending).code, close);
    await assertUndisturbed();
    assert.deepEqual(socket.unread.includes('block'), false, 'nothing of it was delivered');
  }

  /** A copy that `change` has made another. */
  function altered(bytes: Uint8Array, change: (copy: Uint8Array) => void): Uint8Array {
    const copy = Uint8Array.from(bytes);
    change(copy);
    return copy;
  }
  const flip =
    (at: (bytes: Uint8Array) => number, bit = 1) =>
    (bytes: Uint8Array): Uint8Array =>
      altered(bytes, copy => (copy[at(copy)] = (copy[at(copy)] ?? 0) ^ bit));
  const sigAt = (): number => destAt + phone.deviceId.length + 1;

  const fromWindows: readonly (readonly [
    string,
    (bytes: Uint8Array) => Uint8Array | string,
    string,
    number?,
  ])[] = [
    ['garbage', () => randomBytes(300).fill(0x7f, 0, 1), 'invalid_request'],
    ['nothing', () => new Uint8Array(), 'invalid_request'],
    ['half a header', bytes => bytes.subarray(0, 9), 'invalid_request'],
    ['a block cut in an id', bytes => bytes.subarray(0, destAt + 5), 'invalid_request'],
    ['a block that lost its last byte', bytes => bytes.subarray(0, -1), 'bad_mac'],
    ['a block with one more byte', bytes => Buffer.concat([bytes, Buffer.of(0)]), 'bad_mac'],
    ['a block with another hint', bytes => altered(bytes, copy => (copy[2] = 2)), 'bad_mac'],
    ['a block with an unknown hint', bytes => altered(bytes, copy => (copy[2] = 6)), 'invalid_request'],
    ['a live block as a replay', flip(() => 1, 1), 'bad_mac'],
    ['an unknown flag', flip(() => 1, 16), 'invalid_request'],
    ['a block at another time', flip(() => 10), 'bad_mac'],
    ['a time beyond time', flip(() => 3), 'invalid_request'],
    ['a block of another session', flip(() => sessionAt + 1, 2), 'bad_mac'],
    [
      'a session that is no id',
      altering => altered(altering, copy => (copy[sessionAt] = 0x22)),
      'invalid_request',
    ],
    ['a block for another device', flip(() => destAt), 'bad_mac'],
    ['a block whose sig is altered', flip(sigAt), 'bad_mac'],
    ['a block whose content is altered', flip(bytes => bytes.length - 1), 'bad_mac'],
    ['a control', bytes => altered(bytes, copy => (copy[0] = 0x12)), 'invalid_request'],
    ['a frame of an unknown kind', bytes => altered(bytes, copy => (copy[0] = 0x13)), 'invalid_request'],
    ['more than 256 KiB', bytes => Buffer.concat([bytes, Buffer.alloc(262_144)]), 'frame_too_large', 4413],
    ['a block as JSON text', () => 'text', 'invalid_request'],
  ];
  for (const [what, change, code, close = 4400] of fromWindows) {
    it(`a window that sends ${what} is refused as ${code} [K13]`, async () => {
      const options = { sessions: ['t1'], encoding: 'binary' } as const;
      const victim = await TestBridge.register(relay, bridge.identity, options);
      const frame = victim.sign({ sessionId: 't1', dest: phone.deviceId, enc });
      const sent = change(toBytes(frame));
      victim.socket.ws.send(typeof sent === 'string' ? JSON.stringify(frame) : sent);
      await assertEnds(victim.socket, code, close);
    });
  }

  it('a window that sends a block without sig, or two in the wrong order, is refused as bad_mac [K13]', async () => {
    const victim = await TestBridge.register(relay, bridge.identity, { encoding: 'binary' });
    victim.block({ sessionId: 't1', dest: phone.deviceId, sig: null });
    await assertEnds(victim.socket, 'bad_mac', 4400);
    const second = await TestBridge.register(relay, bridge.identity, { encoding: 'binary' });
    const [first, later] = [1, 2].map(() => second.sign({ sessionId: 't1', dest: phone.deviceId }));
    assert.ok(first && later);
    second.socket.send(later);
    second.socket.send(first);
    await assertEnds(second.socket, 'bad_mac', 4400);
  });

  it('a group block is unsupported, as it is in JSON', async () => {
    bridge.block({ sessionId: 's1', dest: 'grp_1' });
    assert.equal((await bridge.socket.next('error')).code, 'unsupported_operation');
    await assertUndisturbed();
  });

  const control = { type: 'control', session_id: 's1', enc: base64(enc), server_ts: 1 };
  const fromPhones: readonly (readonly [string, () => Uint8Array | string, string, number?])[] = [
    ['garbage', () => randomBytes(300).fill(0x7f, 0, 1), 'invalid_request'],
    ['a control of too few bytes to open', () => toBytes({ ...control, enc: 'AAAA' }), 'invalid_request'],
    ['a control whose id is cut', () => toBytes(control).subarray(0, 13), 'invalid_request'],
    [
      'a block',
      () => toBytes({ ...control, type: 'block', block_type: 'control', replay: false }),
      'invalid_request',
    ],
    ['a control as JSON text', () => JSON.stringify(control), 'invalid_request'],
    ['a request in binary', () => Buffer.from('{"type":"session_request"}'), 'invalid_request'],
    ['more than 256 KiB', () => new Uint8Array(262_145), 'frame_too_large', 4413],
  ];
  for (const [what, make, code, close = 4400] of fromPhones) {
    it(`a phone that sends ${what} is refused as ${code}`, async () => {
      const second = await TestPhone.pair(relay, bridge);
      const victim = await second.connect(relay, 'binary');
      victim.ws.send(make());
      await assertEnds(victim, code, close);
    });
  }

  it('a connection that chose JSON has no binary frames, from windows and from phones', async () => {
    const window = await TestBridge.register(relay, bridge.identity);
    window.socket.ws.send(toBytes(window.sign({ sessionId: 't1', dest: phone.deviceId })));
    await assertEnds(window.socket, 'invalid_request', 4400);
    const second = await TestPhone.pair(relay, bridge);
    const victim = await second.connect(relay, 'json');
    victim.ws.send(toBytes(control));
    await assertEnds(victim, 'invalid_request', 4400);
  });

  it('nobody begins with a binary frame, be it an envelope or a hello', async () => {
    const hello = Buffer.from('{"type":"client_hello","v":1,"pair_ticket":"x"}');
    for (const first of [toBytes(control), hello, new Uint8Array()]) {
      const stranger = await TestSocket.connect(relay.url, {}, 'binary');
      stranger.ws.send(first);
      await assertEnds(stranger, 'invalid_request', 4400);
    }
    const stranger = await TestSocket.connect(relay.url, {}, 'binary');
    stranger.ws.send(new Uint8Array(8_193));
    await assertEnds(stranger, 'frame_too_large', 4413);
  });

  it('a frame just under the bound passes, both ways [T54]', async () => {
    const most = randomBytes(262_144 - 100);
    bridge.block({ sessionId: 's1', dest: phone.deviceId, enc: most });
    assert.equal((await socket.next('block')).enc, base64(most));
    socket.send({ ...control, enc: base64(most) });
    assert.equal((await bridge.socket.next('control')).enc, base64(most));
    await assertUndisturbed();
  });

  it('a phone that floods is closed as rate_limited; a window that sends much at once loses nothing [T49]', async () => {
    const second = await TestPhone.pair(relay, bridge);
    const flood = await second.connect(relay, 'binary');
    const bytes = toBytes({ ...control, session_id: 'nowhere' });
    for (let count = 0; count < 300; count++) flood.ws.send(bytes);
    for (;;) if ((await flood.next('error')).code === 'rate_limited') break;
    assert.equal((await flood.ending).code, 4429);
    for (let count = 0; count < 600; count++)
      bridge.block({ sessionId: 's1', dest: phone.deviceId, enc: randomBytes(32) });
    for (let count = 0; count < 600; count++) await socket.next('block');
    await assertUndisturbed();
  });

  it('a phone that does not read is closed alone', async () => {
    const second = await TestPhone.pair(relay, bridge);
    const slow = await second.connect(relay, 'binary');
    slow.fallSilent();
    const large = randomBytes(150_000);
    for (let count = 0; count < 200 && bridge.socket.unread.length === 0; count++) {
      bridge.block({ sessionId: 's1', dest: second.deviceId, enc: large });
      await bridge.socket.roundTrip();
    }
    assert.equal((await bridge.socket.next('client_gone')).device_id, second.deviceId);
    assert.match(relay.logLines.join(''), /"was":"phone","reason":"slow_consumer"/);
    await assertUndisturbed();
  });

  it('what it forwards has neither sig nor dest, and exactly the sealed bytes [T35]', async () => {
    const raw = new Promise<Buffer>(resolve => socket.ws.once('message', resolve));
    const frame = bridge.block({ sessionId: 's1', dest: phone.deviceId, enc });
    const received = await raw;
    const decoded = decodeBinaryEnvelope(received);
    assert.ok(decoded.ok && decoded.value.type === 'block');
    assert.deepEqual(Object.keys(decoded.value).toSorted(), [
      'enc',
      'hint',
      'replay',
      'sessionId',
      'timeMs',
      'type',
    ]);
    assert.deepEqual(Buffer.from(decoded.value.enc), enc);
    // A length and the id, a length and 16 bytes.
    assert.equal(received.length, toBytes(frame).length - 1 - phone.deviceId.length - 17);
  });
});
