import assert from 'node:assert/strict';
import { fail } from '../../../core/base/result.ts';
import type { Request } from '../../../phone/net/channelClientOptions.ts';
import type { Answer } from '../../../phone/net/pendingRequests.ts';
import { keyLifeMs } from '../../../phone/state/keyRenewal.ts';
import { pairAtDesk, PhoneAtDesk, publicOf, type PairedDesk } from '../../fakes/phoneAtDesk.ts';
import { untilTrue } from '../../fakes/untilTrue.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('a phone whose key has grown old', () => {
  let paired: PairedDesk;
  let first: string;
  beforeEach(() => begin(keyLifeMs));
  afterEach(() => paired.dispose());

  async function begin(ageMs: number | undefined): Promise<void> {
    paired = await pairAtDesk(ageMs);
    first = publicOf(paired.store.only.keys.dhKey);
  }

  /** The keys by which the desk knows the phone, the newest first. */
  function known(): readonly string[] {
    const [device] = paired.answering.desk.devices.all;
    assert.ok(device);
    return [device.S_d, ...(device.previous ? [device.previous.S_d] : [])];
  }

  const stored = (): string => publicOf(paired.store.only.keys.dhKey);
  const shift = (ms: number): void => paired.answering.desk.clock.shift(ms);

  it('gets another at its next connection: stored, named, taken over, and nobody is shown anything of it', async () => {
    const phone = await PhoneAtDesk.start(paired);
    await phone.visit();
    assert.notEqual(stored(), first);
    assert.deepEqual(known(), [stored(), first], 'the old one still opens');
    assert.equal(paired.store.only.nextKey, undefined);
    const age = paired.answering.desk.clock.now() - (paired.store.only.keySince ?? 0);
    assert.ok(age >= 0 && age < 10_000, String(age));
    assert.deepEqual(
      phone.shown.map(state => state.phase),
      ['open'],
    );
    await phone.comeAgain();
    await untilTrue('one key', () => known().length === 1);
    assert.deepEqual(known(), [stored()], 'and does no more once the new one has');
    phone.end();
  });

  it('stores the next key before it names it, wrapped by a key that cannot leave the browser', async () => {
    const phone = await PhoneAtDesk.start(paired);
    await phone.until('open');
    let named: Request | undefined;
    await phone.renewal.renew(request => {
      named = request;
      const { nextKey } = paired.store.only;
      assert.ok(nextKey?.kind === 'wrapped' && named.type === 'rotate_key');
      assert.equal(nextKey.wrappingKey.extractable, false);
      assert.equal(named.new_s_d, publicOf(nextKey));
      return phone.ask(request);
    });
    assert.equal(named?.type, 'rotate_key');
    phone.end();
  });

  it('keeps a key that is younger than thirty days, and asks nothing', async () => {
    await begin(keyLifeMs - hourMs);
    const phone = await PhoneAtDesk.start(paired);
    await phone.visit();
    assert.deepEqual([known(), stored(), phone.drawn], [[first], first, 0]);
    shift(hourMs);
    phone.renewal.reset();
    await phone.comeAgain();
    await phone.visit();
    assert.notEqual(stored(), first, 'and renews it an hour later');
    phone.end();
  });

  for (const [what, ageMs] of [
    ['has no date', undefined],
    ['is from after now, by a clock that was wrong', -400 * dayMs],
  ] as const)
    it(`counts a key that ${what} as drawn when it is first seen`, async () => {
      await begin(ageMs);
      const phone = await PhoneAtDesk.start(paired);
      await phone.visit();
      assert.deepEqual([known(), phone.drawn], [[first], 0]);
      phone.end();
      shift(keyLifeMs - hourMs);
      const young = await PhoneAtDesk.start(paired);
      await young.visit();
      assert.deepEqual([known(), young.drawn], [[first], 0]);
      young.end();
      shift(hourMs);
      const old = await PhoneAtDesk.start(paired);
      await old.visit();
      assert.equal(known().length, 2);
      old.end();
    });

  it('asks once a connection at most, and names the same key the next time', async () => {
    const phone = await PhoneAtDesk.start(paired);
    await phone.until('open');
    const named: Request[] = [];
    const busy = (request: Request): Promise<Answer> => {
      named.push(request);
      return Promise.resolve({ ok: true, value: { type: 'error', code: 'busy', message: '' } });
    };
    await phone.renewal.renew(busy);
    await phone.renewal.renew(busy);
    assert.equal(named.length, 1);
    for (const code of ['unknown', 'owner_unavailable'] as const) {
      phone.renewal.reset();
      await phone.renewal.renew(request => {
        named.push(request);
        return Promise.resolve(fail(code));
      });
    }
    assert.equal(new Set(named.map(request => JSON.stringify(request))).size, 1);
    assert.deepEqual([named.length, phone.drawn, stored()], [3, 1, first]);
    phone.renewal.reset();
    await phone.renewal.renew(phone.ask);
    assert.deepEqual(known(), [stored(), first]);
    phone.end();
  });

  it('keeps its key with a machine that knows no other way yet', async () => {
    const phone = await PhoneAtDesk.start(paired);
    await phone.until('open');
    await phone.renewal.renew(() =>
      Promise.resolve({ ok: true, value: { type: 'error', code: 'unsupported_operation', message: '' } }),
    );
    assert.equal(stored(), first);
    await phone.comeAgain();
    assert.equal(phone.hasWarned, false);
    phone.end();
  });

  it('draws another when the machine will not have the one that it named', async () => {
    const phone = await PhoneAtDesk.start(paired);
    await phone.until('open');
    await phone.renewal.renew(() =>
      Promise.resolve({ ok: true, value: { type: 'error', code: 'invalid_request', message: '' } }),
    );
    assert.equal(paired.store.only.nextKey, undefined);
    phone.renewal.reset();
    await phone.renewal.renew(phone.ask);
    assert.deepEqual([phone.drawn, known()], [2, [stored(), first]]);
    phone.end();
  });

  it('names nothing that the browser could not store', async () => {
    const phone = await PhoneAtDesk.start(paired);
    await phone.until('open');
    paired.store.writes = 'failed';
    await phone.renewal.renew(() => assert.fail('it named a key'));
    assert.deepEqual(known(), [first]);
    paired.store.writes = 'done';
    phone.renewal.reset();
    await phone.renewal.renew(phone.ask);
    assert.deepEqual(known(), [stored(), first]);
    phone.end();
  });

  /** Where a page can end, by what the renewal is about to do. */
  const ends: readonly (readonly [string, (phone: PhoneAtDesk) => Promise<void>])[] = [
    [
      'before the next key is stored',
      async phone => {
        paired.store.writes = 'lost';
        void phone.renewal.renew(() => assert.fail('it named a key'));
        await untilTrue('the write', () => paired.store.lost === 1);
      },
    ],
    [
      'after the next key is stored, before it is sent',
      phone =>
        new Promise(resolve => {
          void phone.renewal.renew(() => {
            resolve();
            return new Promise(() => undefined);
          });
        }),
    ],
    [
      'after it is sent, before it arrives',
      phone =>
        new Promise(resolve => {
          void phone.renewal.renew(request => {
            phone.up = 'lost';
            resolve();
            return phone.ask(request);
          });
        }),
    ],
    [
      'after the machine has done it, before the answer comes',
      async phone => {
        void phone.renewal.renew(request => {
          phone.hears = false;
          return phone.ask(request);
        });
        await untilTrue('two keys', () => known().length === 2);
      },
    ],
    [
      'after the answer has come, before it is stored',
      async phone => {
        void phone.renewal.renew(async request => {
          const answer = await phone.ask(request);
          assert.ok(answer.ok && answer.value.type === 'rotate_key');
          paired.store.writes = 'lost';
          return answer;
        });
        await untilTrue('the write', () => paired.store.lost === 1);
      },
    ],
  ];
  const hasNext = (end: string): boolean => end !== 'before the next key is stored';

  for (const [end, until] of ends)
    for (const [away, awayMs] of [
      ['soon', hourMs],
      ['after a day and more', 25 * hourMs],
    ] as const)
      it(`comes back ${away} and ends up with its new key, when it ended ${end}`, async () => {
        const phone = await PhoneAtDesk.start(paired);
        await phone.until('open');
        await until(phone);
        phone.end();
        paired.store.writes = 'done';
        assert.equal(stored(), first, 'it ended before its end');
        const { nextKey } = paired.store.only;
        assert.equal(nextKey !== undefined, hasNext(end));
        shift(awayMs);

        const again = await PhoneAtDesk.start(paired);
        await again.visit();
        await untilTrue('the new key', () => stored() !== first);
        assert.equal(again.hasWarned, false, JSON.stringify(again.shown));
        if (nextKey !== undefined) assert.equal(stored(), publicOf(nextKey));
        assert.equal(again.drawn, nextKey === undefined ? 1 : 0);
        assert.equal(known()[0], stored());
        await again.comeAgain();
        await untilTrue('one key', () => known().length === 1);
        assert.deepEqual(known(), [stored()]);
        assert.equal(again.hasWarned, false);
        again.end();
      });

  it('tries its next key once before it warns that it is not known, when it is not', async () => {
    const phone = await PhoneAtDesk.start(paired);
    await phone.until('open');
    await phone.renewal.renew(() => Promise.resolve(fail('unknown')));
    const { desk } = paired.answering;
    await desk.devices.remove(desk.device);
    const before = phone.handshakes;
    phone.channel.restart();
    await phone.until('refused');
    assert.equal(phone.handshakes, before + 2);
    phone.end();
  });

  it('warns at the first refusal when it has no other key', async () => {
    const phone = await PhoneAtDesk.start(paired);
    await phone.until('open');
    const { desk } = paired.answering;
    await desk.devices.remove(desk.device);
    const before = phone.handshakes;
    phone.channel.restart();
    await phone.until('refused');
    assert.equal(phone.handshakes, before + 1);
    phone.end();
  });

  it('loses nothing to a relay that refuses it in the machine’s place, however often', async () => {
    const phone = await PhoneAtDesk.start(paired);
    await phone.until('open');
    await phone.renewal.renew(() => Promise.resolve(fail('unknown')));
    const next = paired.store.only.nextKey;
    phone.up = 'refused';
    phone.channel.restart();
    for (let round = 0; round < 3; round += 1) {
      await phone.until('refused');
      const before = phone.handshakes;
      shift(20_000);
      await phone.until('opening');
      await phone.until('refused');
      assert.equal(phone.handshakes, before + 2, 'each key once a try');
    }
    assert.deepEqual([stored(), paired.store.only.nextKey], [first, next]);
    assert.deepEqual(known(), [first]);
    phone.up = 'arrives';
    shift(20_000);
    await phone.until('open');
    assert.deepEqual(known(), [first], 'it came with the key that the machine knows');
    phone.end();
  });

  it('is one phone in two tabs: the one that knows nothing of the renewal comes in with the new key', async () => {
    const idle = await PhoneAtDesk.start(paired);
    await idle.until('open');
    const busy = await PhoneAtDesk.start(paired);
    await busy.visit();
    await busy.comeAgain();
    await untilTrue('one key', () => known().length === 1);
    idle.takeOver();
    await idle.comeAgain();
    assert.equal(idle.hasWarned, false);
    await idle.kept.change(record => ({ ...record, accessToken: 'renewed by the idle tab' }));
    assert.equal(stored(), known()[0], 'whose own writes leave it in its place');
    busy.end();
    idle.end();
  });

  it('is one phone in two tabs: both that renew name one key', async () => {
    const tabs = [await PhoneAtDesk.start(paired), await PhoneAtDesk.start(paired)];
    const named: Request[] = [];
    await Promise.all(
      tabs.map(tab =>
        tab.renewal.renew(request => {
          named.push(request);
          return Promise.resolve(fail('unknown'));
        }),
      ),
    );
    assert.equal(named.length, 2);
    assert.deepEqual(named[0], named[1]);
    for (const tab of tabs) tab.end();
  });
});
