import assert from 'node:assert/strict';
import { bridgeId, deviceId } from '../../../core/protocol/ids.ts';
import { keyLifeMs } from '../../../phone/state/keyRenewal.ts';
import { createDeviceKeys, createNextKey } from '../../../phone/storage/deviceKeys.ts';
import { KeptPairing } from '../../../phone/storage/keptPairing.ts';
import type { PairingRecord } from '../../../phone/storage/pairingRecord.ts';
import { MemoryPairings } from '../../fakes/memoryPairings.ts';
import { pairAtDesk, PhoneAtDesk, publicOf, type PairedDesk } from '../../fakes/phoneAtDesk.ts';

const platform = globalThis.crypto;

describe('a machine’s record on the phone', () => {
  let paired: PairedDesk;
  let record: PairingRecord;
  beforeEach(async () => {
    paired = await pairAtDesk(keyLifeMs);
    record = paired.store.only;
  });
  afterEach(() => paired.dispose());

  const named = (token: string) => (before: PairingRecord) => ({ ...before, accessToken: token });

  it('is changed where it is stored: what another tab changed stays', async () => {
    const one = new KeptPairing(record, paired.store);
    const other = new KeptPairing(record, paired.store);
    await one.change(named('one'));
    await other.change(before => ({ ...before, refreshToken: 'other' }));
    const { accessToken, refreshToken } = paired.store.only;
    assert.deepEqual([accessToken, refreshToken], ['one', 'other']);
    assert.equal(other.record.accessToken, 'one', 'and is known here from then on');
    assert.equal((await one.refresh())?.refreshToken, 'other');
  });

  it('does not come back by a change once the machine was forgotten', async () => {
    const kept = new KeptPairing(record, paired.store);
    await paired.store.remove(record.bridgeId);
    assert.equal(await kept.change(named('late')), undefined);
    assert.deepEqual(await paired.store.all(), []);
    assert.equal(kept.record.accessToken, 'late', 'this page goes on with it');
  });

  it('is not changed by a tab that holds an earlier pairing with the same machine', async () => {
    const kept = new KeptPairing(record, paired.store);
    await paired.store.save({ ...record, deviceId: deviceId.parse('d_2') });
    assert.equal(await kept.change(named('of before')), undefined);
    assert.equal(paired.store.only.accessToken, record.accessToken);
  });

  it('lives as long as the page where the browser stores nothing', async () => {
    const kept = new KeptPairing(record, undefined);
    assert.equal((await kept.change(named('here')))?.accessToken, 'here');
    assert.equal((await kept.refresh())?.accessToken, 'here');
    assert.equal(paired.store.only.accessToken, record.accessToken);
  });

  it('names no next key once the machine was forgotten', async () => {
    const phone = await PhoneAtDesk.start(paired);
    await phone.until('open');
    await paired.store.remove(record.bridgeId);
    await phone.renewal.renew(() => assert.fail('it named a key'));
    assert.deepEqual([phone.drawn, await paired.store.all()], [0, []]);
    phone.end();
  });

  it('has a key of its own for each machine, also when two are renewed at once', async () => {
    const { store } = paired;
    const other = { ...record, keys: await createDeviceKeys(platform, store) };
    assert.notEqual(publicOf(other.keys.dhKey), publicOf(record.keys.dhKey));
    const [one, two] = await Promise.all(
      [record.bridgeId, bridgeId.parse('b_other')].map(bridge =>
        createNextKey(platform, store, bridge, record.keys),
      ),
    );
    assert.ok(one && two);
    assert.notEqual(publicOf(one), publicOf(two));
    assert.deepEqual([one.kind, two.kind], ['wrapped', 'wrapped']);
  });

  it('gets a next key of the pure code where a wrapped one does not survive storage', async () => {
    const broken = new MemoryPairings();
    broken.roundTrip = keys =>
      Promise.resolve(
        keys.dhKey.kind === 'wrapped'
          ? { ...keys, dhKey: { ...keys.dhKey, wrapped: keys.dhKey.wrapped.slice(1) } }
          : keys,
      );
    const next = await createNextKey(platform, broken, record.bridgeId, record.keys);
    assert.equal(next.kind, 'extractable');
  });
});
