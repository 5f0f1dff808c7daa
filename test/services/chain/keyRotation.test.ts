import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { base64 } from '@scure/base';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { blockFrame, controlFrame } from '../../../core/protocol/relayFrame.ts';
import type { ChannelState } from '../../../phone/net/channelState.ts';
import { keyLifeMs } from '../../../phone/state/keyRenewal.ts';
import type { Machine } from '../../../phone/state/machine.ts';
import { PhoneApp } from '../../../phone/state/phoneApp.ts';
import type { StoredDeviceKey } from '../../../platform/web/deviceKey.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import { startChain, untilOnline, type Chain } from '../../fakes/chain.ts';
import { MemoryPairings } from '../../fakes/memoryPairings.ts';
import { publicOf } from '../../fakes/phoneAtDesk.ts';
import { ShiftableClock } from '../../fakes/shiftableClock.ts';
import { untilSignal } from '../../fakes/until.ts';
import { untilTrue } from '../../fakes/untilTrue.ts';

const dayMs = 24 * 3_600_000;

describe('a phone whose key is a month old', () => {
  let chain: Chain;
  let clock: ShiftableClock;
  let store: MemoryPairings;
  let first: StoredDeviceKey;
  let opened: { readonly app: PhoneApp; readonly shown: ChannelState[] }[];
  beforeEach(async () => {
    clock = new ShiftableClock();
    store = new MemoryPairings();
    opened = [];
    chain = await startChain({ clock, store, proxied: true });
    chain.machine.dispose();
    first = store.only.keys.dhKey;
    await store.save({ ...store.only, keySince: clock.now() - keyLifeMs });
  });
  afterEach(async () => {
    for (const { app } of opened) close(app);
    await chain.dispose();
  });

  /** The phone app starts, with what a browser stores. */
  async function open(from = store): Promise<{ readonly machine: Machine; readonly shown: ChannelState[] }> {
    const app = new PhoneApp({
      platform: globalThis.crypto,
      crypto: nodeCrypto,
      clock,
      store: from,
      phoneName: 'Test phone',
    });
    await app.load();
    const [machine] = app.machines.value;
    assert.ok(machine);
    const shown: ChannelState[] = [];
    machine.windows.subscribe(windows => shown.push(...windows.map(({ channel }) => channel)));
    opened.push({ app, shown });
    return { machine, shown };
  }

  function close(app: PhoneApp): void {
    for (const machine of app.machines.value) machine.dispose();
  }

  async function untilIn(machine: Machine): Promise<void> {
    await untilSignal('the window', machine.windows, windows =>
      windows.some(({ channel, state }) => channel.phase === 'open' && state !== undefined),
    );
  }

  /** The keys by which the desk knows the phone, the newest first. */
  function known(): readonly string[] {
    const [device] = chain.bridge.devices;
    assert.ok(device);
    return [device.S_d, ...(device.previous ? [device.previous.S_d] : [])];
  }

  const isWarning = (state: ChannelState): boolean => state.phase === 'refused';
  const isRenewed = (): boolean =>
    store.only.nextKey === undefined && publicOf(store.only.keys.dhKey) !== publicOf(first);

  /** A phone that holds the key of before, and is otherwise the same. */
  async function withFirstKey(): Promise<MemoryPairings> {
    const stolen = new MemoryPairings();
    const { only } = store;
    await stolen.save({ ...only, keys: { ...only.keys, dhKey: first }, keySince: clock.now() });
    return stolen;
  }

  it('renews it over a real relay, comes back with the new one, and is refused with the old one afterwards', async () => {
    const { machine, shown } = await open();
    await untilIn(machine);
    await untilTrue('the new key', isRenewed);
    const renewed = store.only.keys.dhKey;
    assert.equal(renewed.kind, 'wrapped');
    assert.deepEqual(known(), [publicOf(renewed), publicOf(first)]);
    assert.deepEqual(shown.filter(isWarning), []);

    chain.cutPhone();
    await untilTrue('one key', () => known().length === 1);
    await untilIn(machine);
    assert.deepEqual(known(), [publicOf(renewed)]);
    assert.deepEqual(shown.filter(isWarning), []);
    await chain.restartBridge();
    await untilOnline(chain.bridge);
    await untilIn(machine);
    machine.dispose();

    const { machine: old } = await open(await withFirstKey());
    const refused = await untilSignal('a refusal', old.windows, windows =>
      windows.map(({ channel }) => channel).find(isWarning),
    );
    assert.deepEqual(refused, { phase: 'refused', code: 'unauthorized' });
    assert.ok(
      chain.logger.lines.some(line => line.startsWith('handshake.refused')),
      'by the machine itself',
    );
    assert.deepEqual(known(), [publicOf(renewed)], 'and nothing has changed');
  });

  it('comes back after more than a day when the relay swallowed the answer, and warns of nothing', async () => {
    assert.ok(chain.proxy);
    chain.proxy.meddle = (side, text) => {
      const isOfMachine = side === 'fromRelay' && blockFrame.safeParse(jsonValue(text)).success;
      return isOfMachine && known().length === 2 ? undefined : text;
    };
    const { machine } = await open();
    await untilTrue('two keys', () => known().length === 2);
    machine.dispose();
    assert.equal(publicOf(store.only.keys.dhKey), publicOf(first), 'it knows of nothing');
    chain.proxy.meddle = (_side, text) => text;
    clock.shift(dayMs + 60_000);
    await untilOnline(chain.bridge);

    const { machine: again, shown } = await open();
    await untilIn(again);
    await untilTrue('the new key', isRenewed);
    await untilTrue('one key', () => known().length === 1);
    assert.deepEqual(known(), [publicOf(store.only.keys.dhKey)]);
    assert.deepEqual(shown.filter(isWarning), []);
  });

  it('shows the relay neither its keys nor that it renews them, and a relay that says it all again changes nothing', async () => {
    const { machine } = await open();
    await untilIn(machine);
    await untilTrue('the new key', isRenewed);
    chain.cutPhone();
    await untilTrue('one key', () => known().length === 1);
    await untilIn(machine);
    assert.ok(chain.proxy);
    const { seen } = chain.proxy;
    for (const key of [first, store.only.keys.dhKey]) {
      const forms = [publicOf(key), Buffer.from(key.publicKey).toString('hex')];
      for (const form of forms) {
        assert.ok(seen.every(({ text }) => !text.includes(form)));
        assert.ok(chain.logger.lines.every(line => !line.includes(form)));
        assert.ok(chain.relayLog.every(line => !line.includes(form)));
      }
    }
    assert.ok(seen.every(({ text }) => !text.includes('rotate_key') && !text.includes('new_s_d')));

    const list = (): string => readFileSync(join(chain.folder, 'state', 'devices.json'), 'utf8');
    const before = list();
    const said = seen.filter(
      ({ side, text }) => side === 'fromRelay' && controlFrame.safeParse(jsonValue(text)).success,
    );
    assert.ok(said.length >= 2, 'the relay passed what the phone said');
    const own = {
      type: 'rotate_key',
      request_id: 'relay',
      new_s_d: base64.encode(nodeCrypto.randomBytes(32)),
    };
    const [sample] = said;
    assert.ok(sample);
    const parsed = controlFrame.parse(jsonValue(sample.text));
    const made = { ...parsed, enc: Buffer.from(JSON.stringify(own)).toString('base64') };
    let isSaid = false;
    chain.proxy.meddle = (side, text) => {
      if (side === 'toRelay' || isSaid || !controlFrame.safeParse(jsonValue(text)).success) return text;
      isSaid = true;
      return [...said.map(frame => frame.text), JSON.stringify(made), text];
    };
    chain.cutPhone();
    await untilTrue('the relay says it all again', () => isSaid);
    await untilIn(machine);
    assert.equal(list(), before);
  });
});
