import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { base64 } from '@scure/base';
import type { DhKey } from '../../../core/crypto/cryptoPort.ts';
import { controlSession, deviceId } from '../../../core/protocol/ids.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import type { PairedDevice } from '../../../src/bridge/pairedDevice.ts';
import { AnsweringDesk, answerIn } from '../../fakes/answeringDesk.ts';
import type { Desk } from '../../fakes/desk.ts';
import { untilTrue } from '../../fakes/untilTrue.ts';

const dayMs = 24 * 3_600_000;

/** Points of low order, also in the forms that are no number below the prime. Source: RFC 7748, cr.yp.to/ecdh.html. */
const lowOrder = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

describe('a phone that names its next key', () => {
  let answering: AnsweringDesk;
  let desk: Desk;
  let window: string;
  let next: DhKey;
  let requests: number;
  beforeEach(() => begin('owner'));
  afterEach(() => answering.dispose());

  async function begin(role: PairedDevice['role']): Promise<void> {
    answering = await AnsweringDesk.create(role);
    desk = answering.desk;
    window = controlSession(desk.instance);
    next = await nodeCrypto.generateDhKey();
    requests = 0;
  }

  const naming = (key: Uint8Array | string) => ({
    type: 'rotate_key',
    request_id: `k${String((requests += 1))}`,
    new_s_d: typeof key === 'string' ? key : base64.encode(key),
  });

  async function rotate(key: Uint8Array | string, by = desk.phoneKey): Promise<string | undefined> {
    return answering.ask(await desk.connect(window, { key: by }), naming(key));
  }

  /** Whether a handshake with the key is answered. */
  async function opens(key: DhKey): Promise<boolean> {
    const { request } = await desk.begin('s1', { key });
    desk.sent.length = 0;
    await desk.desk.onRequest(request);
    desk.clock.shift(20_000);
    return desk.last('session_accept') !== undefined;
  }

  it('comes in with either until the new one has opened a channel, and then with that alone', async () => {
    assert.equal(await rotate(next.publicKey), 'rotate_key');
    assert.deepEqual([await opens(desk.phoneKey), await opens(next)], [true, true]);
    assert.deepEqual(
      [await opens(desk.phoneKey), await opens(next)],
      [true, true],
      'an answer proves nothing',
    );
    const channel = await desk.connect('s1', { key: next });
    await desk.say(channel, 'a first frame');
    await untilTrue('one key', () => desk.devices.all[0]?.previous === undefined);
    assert.deepEqual([await opens(desk.phoneKey), await opens(next)], [false, true]);
    assert.equal(desk.last('session_accept')?.dest, desk.device, 'it is the same phone');
  });

  it('comes in with the old one for a day at most', async () => {
    await rotate(next.publicKey);
    desk.clock.shift(dayMs - 60_000);
    assert.ok(await opens(desk.phoneKey));
    desk.clock.shift(60_000);
    assert.deepEqual([await opens(desk.phoneKey), await opens(next)], [false, true]);
    assert.equal(desk.last('error'), undefined);
  });

  it('is told nothing any more over a channel that an old key opened, a day after it was opened', async () => {
    const old = await desk.connect(window);
    assert.equal(await answering.ask(old, naming(next.publicKey)), 'rotate_key');
    const channel = await desk.connect('s1', { key: next });
    await desk.say(channel, 'a first frame');
    await untilTrue('one key', () => desk.devices.all[0]?.previous === undefined);
    desk.clock.shift(dayMs + 3_600_000);
    assert.equal(await answering.ask(old, { type: 'list_sessions', request_id: 'late' }), undefined);
  });

  it('may be of any role, and rotates its own key in whichever session it says so', async () => {
    for (const role of ['owner', 'co_driver', 'viewer'] as const) {
      answering.dispose();
      await begin(role);
      const channel = await desk.connect('a-session');
      assert.equal(await answering.ask(channel, naming(next.publicKey)), 'rotate_key', role);
      assert.equal(desk.devices.all[0]?.role, role, 'which stays what it was');
    }
  });

  it('is told the same again, and changes nothing, when it names the same key again', async () => {
    const channel = await desk.connect(window);
    const first = naming(next.publicKey);
    assert.equal(await answering.ask(channel, first), 'rotate_key');
    const epoch = epochOf(desk);
    assert.equal(await answering.ask(channel, first), 'rotate_key', 'the same request');
    assert.equal(await answering.ask(channel, naming(next.publicKey)), 'rotate_key', 'another request');
    const status = { type: 'request_status', request_id: 'q', target_request_id: first.request_id };
    assert.equal(await answering.ask(channel, status), 'request_status applied');
    assert.equal(await rotate(next.publicKey), 'rotate_key', 'another channel');
    assert.equal(epochOf(desk), epoch);
  });

  it('is refused by name with a key of low order, of a wrong length or form, or that is in use', async () => {
    const other = await nodeCrypto.generateDhKey();
    await desk.devices.add({
      device_id: deviceId.parse('d_2'),
      name: 'Other',
      role: 'owner',
      S_d: base64.encode(other.publicKey),
      K_d: base64.encode(new Uint8Array(65).fill(4)),
      session_psk: base64.encode(new Uint8Array(32)),
      paired_at: 1,
    });
    const before = epochOf(desk);
    const secondName = Uint8Array.from(next.publicKey, (byte, at) => (at === 31 ? byte | 0x80 : byte));
    const refused = [
      ...lowOrder.map(hex => Uint8Array.from(Buffer.from(hex, 'hex'))),
      next.publicKey.slice(1),
      Uint8Array.of(...next.publicKey, 0),
      // 44 characters, and not the one form of 32 bytes.
      base64.encode(new Uint8Array(31).fill(7)),
      base64.encode(new Uint8Array(33).fill(7)),
      `${base64.encode(next.publicKey).slice(0, 42)}//`,
      '=',
      '',
      secondName,
      other.publicKey,
      desk.identity.dhKey.publicKey,
    ];
    for (const key of refused)
      assert.equal(await rotate(key), 'invalid_request', typeof key === 'string' ? key : base64.encode(key));
    assert.equal(epochOf(desk), before);
    assert.ok(await opens(desk.phoneKey));
  });

  it('cannot name another with the key that it has replaced', async () => {
    await rotate(next.publicKey);
    const third = await nodeCrypto.generateDhKey();
    assert.equal(await rotate(third.publicKey), 'unauthorized');
    assert.equal(await opens(third), false);
    assert.equal(await rotate(third.publicKey, next), 'rotate_key');
    assert.deepEqual(
      [await opens(desk.phoneKey), await opens(next), await opens(third)],
      [false, true, true],
      'two at most',
    );
  });

  it('is out with both keys when it is revoked', async () => {
    await rotate(next.publicKey);
    await desk.devices.remove(desk.device);
    assert.deepEqual([await opens(desk.phoneKey), await opens(next)], [false, false]);
  });

  it('names one key at a time: who names another meanwhile is told to wait', async () => {
    const { rotateKey } = answering;
    const { promise: written, resolve: write } = Promise.withResolvers<undefined>();
    answering.rotateKey = async (...rotation) => {
      await written;
      return rotateKey(...rotation);
    };
    const channel = await desk.connect(window);
    const first = naming(next.publicKey);
    await desk.say(channel, first);
    const other = await nodeCrypto.generateDhKey();
    assert.equal(await answering.ask(channel, naming(other.publicKey)), 'busy');
    const status = { type: 'request_status', request_id: 'q', target_request_id: first.request_id };
    assert.equal(await answering.ask(channel, status), 'request_status received');
    write(undefined);
    assert.equal(await answering.heard(channel), 'rotate_key');
    assert.equal(await answering.ask(channel, { ...status, request_id: 'q2' }), 'request_status applied');
    assert.deepEqual([await opens(next), await opens(other)], [true, false]);
  });

  it('that names many at once is left with two', async () => {
    const channel = await desk.connect(window);
    const many = await Promise.all(Array.from({ length: 8 }, () => nodeCrypto.generateDhKey()));
    await Promise.all(many.map(key => desk.say(channel, naming(key.publicKey))));
    const answers: string[] = [];
    for (let round = 0; round < 500 && answers.length < many.length; round += 1) {
      answers.push(...(await desk.read(channel)).flatMap(message => answerIn(message) ?? []));
      await new Promise(resolve => setImmediate(resolve));
    }
    assert.equal(answers.filter(answer => answer === 'rotate_key').length, 1, answers.join());
    const open: boolean[] = [];
    for (const key of [desk.phoneKey, ...many]) open.push(await opens(key));
    assert.equal(open.filter(Boolean).length, 2);
  });

  it('is told when the disk refuses, and can name a key again then', async () => {
    const { rotateKey } = answering;
    answering.rotateKey = () => Promise.reject(new Error('no space left'));
    const channel = await desk.connect(window);
    assert.equal(await answering.ask(channel, naming(next.publicKey)), 'internal');
    assert.ok(desk.logger.lines.some(line => line.startsWith('control.failed')));
    answering.rotateKey = rotateKey;
    assert.equal(await answering.ask(channel, naming(next.publicKey)), 'rotate_key');
  });
});

/** How often the list was written. */
function epochOf(desk: Desk): unknown {
  const parsed: unknown = JSON.parse(readFileSync(join(desk.folder, 'devices.json'), 'utf8'));
  return typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'epoch') : undefined;
}
