import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { base64 } from '@scure/base';
import fc from 'fast-check';
import { deviceId, type DeviceId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import { DeviceList } from '../../../src/bridge/deviceList.ts';
import type { PairedDevice } from '../../../src/bridge/pairedDevice.ts';
import { StoppedClock } from '../../fakes/stoppedClock.ts';

const dayMs = 24 * 3_600_000;
const phone = deviceId.parse('d_1');
const other = deviceId.parse('d_2');

/** Stands for an X25519 key: the list compares keys and does nothing else with them. */
function key(name: number): Uint8Array {
  return new Uint8Array(32).fill(name);
}

function paired(id: DeviceId, S_d: Uint8Array): PairedDevice {
  return {
    device_id: id,
    name: 'Phone',
    role: 'owner',
    S_d: base64.encode(S_d),
    K_d: base64.encode(new Uint8Array(65).fill(4)),
    session_psk: base64.encode(new Uint8Array(32).fill(5)),
    paired_at: 1,
  };
}

describe('the list of paired phones', () => {
  let folder: string;
  let clock: StoppedClock;
  let devices: DeviceList;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tn-devices-'));
    clock = new StoppedClock();
    devices = new DeviceList(folder, clock);
    assert.ok(await devices.add(paired(phone, key(1))));
    assert.ok(await devices.add(paired(other, key(2))));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function rotate(proven: number, next: number, device = phone): Promise<string> {
    const rotated = await devices.rotateKey({ device, proven: key(proven), next: key(next) });
    return rotated.ok ? 'ok' : rotated.code;
  }

  /** Which of some keys open a handshake of the phone now. */
  function opening(list = devices, id = phone): readonly number[] {
    return [1, 2, 3, 4, 5, 6, 7, 8, 9].filter(name => list.findByKey(key(name))?.device_id === id);
  }

  const written = (): string => readFileSync(join(folder, 'devices.json'), 'utf8');

  it('knows a phone by its old and its new key for a day, then by the new one alone', async () => {
    assert.equal(await rotate(1, 3), 'ok');
    assert.deepEqual(opening(), [1, 3]);
    clock.pass(dayMs - 1);
    assert.deepEqual(opening(), [1, 3]);
    clock.pass(1);
    assert.deepEqual(opening(), [3]);
    assert.equal(limits.replacedKeyMs, dayMs);
  });

  it('forgets the old key as soon as the new one has opened a channel, and not when the old one opens another', async () => {
    await rotate(1, 3);
    await devices.forgetReplacedKey(phone, key(1));
    assert.deepEqual(opening(), [1, 3]);
    await devices.forgetReplacedKey(phone, key(3));
    assert.deepEqual(opening(), [3]);
    assert.ok(!written().includes(base64.encode(key(1))), 'the disk has it no more either');
    assert.deepEqual(opening(devices, other), [2], 'the other phone is as it was');
  });

  it('gives an old key no more time when the clock is set back', async () => {
    await rotate(1, 3);
    clock.pass(-3_600_000);
    assert.deepEqual(opening(), [3]);
  });

  it('does the same rotation again without a change, also once the old key is over', async () => {
    await rotate(1, 3);
    const before = written();
    clock.pass(3_600_000);
    assert.equal(await rotate(1, 3), 'ok');
    assert.equal(await rotate(3, 3), 'ok');
    clock.pass(dayMs);
    assert.equal(await rotate(1, 3), 'ok');
    assert.equal(written(), before, 'nothing was written, so the old key got no more time');
    assert.deepEqual(opening(), [3]);
  });

  it('lets a replaced key name no other, so that there are never three', async () => {
    await rotate(1, 3);
    assert.equal(await rotate(1, 4), 'unauthorized');
    assert.deepEqual(opening(), [1, 3]);
    assert.equal(await rotate(3, 4), 'ok');
    assert.deepEqual(opening(), [3, 4], 'the first one makes room');
    assert.equal(await rotate(1, 5), 'unauthorized');
  });

  it('takes no key that is somebody’s, valid or on its way out', async () => {
    await rotate(2, 5, other);
    for (const taken of [2, 5]) assert.equal(await rotate(1, taken), 'invalid_request', String(taken));
    clock.pass(dayMs);
    assert.equal(await rotate(1, 2), 'invalid_request', 'also when it is over');
    await rotate(1, 3);
    assert.equal(await rotate(3, 1), 'invalid_request', 'nor the phone’s own of before');
    assert.deepEqual([opening(), opening(devices, other)], [[1, 3], [5]]);
  });

  it('is revoked with both keys, and no rotation brings it back', async () => {
    await rotate(1, 3);
    await devices.remove(phone);
    assert.deepEqual(opening(), []);
    assert.equal(await rotate(3, 4), 'unauthorized');
    assert.equal(await rotate(3, 3), 'unauthorized');
    assert.deepEqual(opening(), []);
    assert.ok(![1, 3].some(name => written().includes(base64.encode(key(name)))));
  });

  it('leaves its earlier entry behind when a phone pairs again, by either of its keys', async () => {
    await rotate(1, 3);
    assert.ok(await devices.add(paired(deviceId.parse('d_3'), key(1))));
    assert.deepEqual(
      devices.all.map(device => device.device_id),
      [other, 'd_3'],
    );
  });

  it('is one list for every window, and after a restart', async () => {
    const window = new DeviceList(folder, clock);
    assert.deepEqual(opening(window), [1]);
    await rotate(1, 3);
    assert.deepEqual(opening(window), [1, 3]);
    await window.forgetReplacedKey(phone, key(3));
    assert.deepEqual(opening(), [3]);
    assert.deepEqual(opening(new DeviceList(folder, clock)), [3]);
  });

  it('knows at most two keys of a phone and always its newest, whatever is asked in whichever order', async () => {
    const step = fc.record({
      proven: fc.integer({ min: 1, max: 9 }),
      next: fc.integer({ min: 1, max: 9 }),
      device: fc.constantFrom(phone, other),
      proves: fc.boolean(),
      passes: fc.constantFrom(0, 3_600_000, dayMs),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
        rmSync(join(folder, 'devices.json'));
        await devices.add(paired(phone, key(1)));
        await devices.add(paired(other, key(2)));
        for (const { proven, next, device, proves, passes } of steps) {
          const before = opening(devices, device);
          const rotated = await rotate(proven, next, device);
          if (proves) await devices.forgetReplacedKey(device, key(proven));
          clock.pass(passes);
          for (const id of [phone, other]) {
            const now = opening(devices, id);
            assert.ok(now.length === 1 || now.length === 2, now.join());
          }
          const after = opening(devices, device);
          // A key comes in only by a rotation that a key which was good named.
          for (const name of after)
            assert.ok(
              before.includes(name) || (rotated === 'ok' && name === next && before.includes(proven)),
            );
          if (rotated === 'ok') assert.ok(after.includes(next));
        }
      }),
      { numRuns: 60 },
    );
  });
});
