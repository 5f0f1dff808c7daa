import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CryptoPort } from '../../../core/crypto/cryptoPort.ts';
import { unpackNonce } from '../../../core/crypto/envelope.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import { blockFrame, channelPair, CONTROL, controlFrame, livePair, TEXT } from './channelPair.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A port that counts how often it decrypts. */
function countingOpens(port: CryptoPort): { readonly port: CryptoPort; readonly opens: () => number } {
  let opens = 0;
  return {
    opens: () => opens,
    port: {
      ...port,
      async importAeadKey(raw) {
        const key = await port.importAeadKey(raw);
        return {
          seal: (nonce, aad, plaintext) => key.seal(nonce, aad, plaintext),
          open(nonce, aad, sealed) {
            opens++;
            return key.open(nonce, aad, sealed);
          },
        };
      },
    },
  };
}

/** A port whose seals end in the opposite order of their start, as a platform with threads may. */
function slowFirst(port: CryptoPort): { readonly port: CryptoPort; readonly release: () => void } {
  const held: (() => void)[] = [];
  return {
    release: () => held.splice(0).forEach(each => each()),
    port: {
      ...port,
      async importAeadKey(raw) {
        const key = await port.importAeadKey(raw);
        let started = 0;
        return {
          open: (nonce, aad, sealed) => key.open(nonce, aad, sealed),
          async seal(nonce, aad, plaintext) {
            if (started++ === 0) await new Promise<void>(resolve => held.push(resolve));
            return key.seal(nonce, aad, plaintext);
          },
        };
      },
    },
  };
}

describe('SecureChannel', () => {
  it('carries bytes both ways and counts each direction alone [T39]', async () => {
    const { app, bridge } = await livePair();
    for (const text of ['one', 'two', 'three']) {
      const opened = await app.open(await blockFrame(bridge, bytes(text)));
      assert.ok(opened.ok);
      assert.deepEqual(opened.value.slice(), bytes(text));
    }
    assert.deepEqual(app.position, { sent: { epoch: 0, counter: 1 }, received: { epoch: 0, counter: 3 } });
    assert.equal(app.ch, bridge.ch);
  });

  it('lets a half-open bridge send nothing before application frame 0 [K23]', async () => {
    const { app, bridge } = await channelPair();
    assert.ok(bridge.isHalfOpen && !app.isHalfOpen);
    assert.deepEqual(await bridge.seal(TEXT, bytes('early')), { ok: false, code: 'half_open' });
    assert.ok((await bridge.open(await controlFrame(app, bytes('frame 0')))).ok);
    assert.ok(!bridge.isHalfOpen);
    assert.ok((await bridge.seal(TEXT, bytes('now'))).ok);
  });

  it('puts no dest on a pairing channel and refuses a frame that names one [K4, K5]', async () => {
    const { app, bridge } = await livePair({ deviceId: '' });
    assert.equal(bridge.dest, '');
    const frame = await blockFrame(bridge, bytes('pair_done'));
    assert.deepEqual(await app.open({ ...frame, dest: 'dev_09' }), { ok: false, code: 'drop' });
    assert.ok((await app.open({ ...frame, dest: undefined })).ok);
  });

  it('numbers frames in the order of the calls even when the first seal is slow', async () => {
    const { port, release } = slowFirst(nodeCrypto);
    const { app, bridge } = await channelPair({ crypto: port });
    const order: number[] = [];
    const seals = [0, 1, 2, 3].map(async index => {
      const sealed = await app.seal(CONTROL, bytes(`${index}`));
      order.push(index);
      return sealed;
    });
    await new Promise<void>(resolve => setImmediate(resolve));
    assert.deepEqual(order, [], 'no later frame overtakes');
    release();
    const sealed = await Promise.all(seals);
    assert.deepEqual(order, [0, 1, 2, 3]);
    for (const [index, each] of sealed.entries()) {
      assert.ok(each.ok);
      assert.equal(unpackNonce(each.value)?.counter, index);
      const frame = { ...CONTROL, type: 'control', sessionId: app.sessionId, enc: each.value } as const;
      assert.ok((await bridge.open(frame)).ok);
    }
  });

  it('refuses more seals than may wait, and goes on afterwards', async () => {
    const { app, bridge } = await channelPair();
    const sealed = await Promise.all(Array.from({ length: 300 }, () => app.seal(CONTROL, bytes('x'))));
    const refused = sealed.filter(each => !each.ok);
    assert.equal(refused.length, 300 - 256);
    assert.ok(refused.every(each => each.code === 'overloaded'));
    const next = await app.seal(CONTROL, bytes('y'));
    assert.ok(next.ok);
    assert.equal(unpackNonce(next.value)?.counter, 256, 'a refused seal takes no number');
    assert.ok(!bridge.isClosed);
  });

  it('refuses a plaintext over 192,511 bytes and takes one of exactly that', async () => {
    const { app, bridge } = await channelPair();
    assert.deepEqual(await app.seal(CONTROL, new Uint8Array(192_512)), { ok: false, code: 'too_large' });
    const opened = await bridge.open(await controlFrame(app, new Uint8Array(192_511)));
    assert.ok(opened.ok);
    assert.equal(opened.value.length, 192_511);
  });

  it('takes from an app controls only [K11]', async () => {
    const { app } = await channelPair();
    assert.throws(() => app.seal(TEXT, bytes('x')), TypeError);
    assert.throws(() => app.seal({ ...CONTROL, replay: true }, bytes('x')), TypeError);
  });

  it('closes for good after a resync: nothing is opened or sealed any more [K6]', async () => {
    const { app, bridge } = await livePair();
    const [first, second] = [await blockFrame(bridge, bytes('1')), await blockFrame(bridge, bytes('2'))];
    assert.deepEqual(await app.open(second), { ok: false, code: 'resync' });
    assert.ok(app.isClosed);
    assert.deepEqual(await app.open(first), { ok: false, code: 'drop' });
    assert.deepEqual(await app.seal(CONTROL, bytes('x')), { ok: false, code: 'closed' });
  });

  it('decrypts nothing whose direction, epoch or counter is not the expected one [K6]', async () => {
    const changes: readonly (readonly [number, number])[] = [
      [0, 2],
      [5, 2],
      [11, 1],
    ];
    for (const [at, value] of changes) {
      const { port, opens } = countingOpens(nodeCrypto);
      const { app, bridge } = await livePair({ crypto: port });
      const before = opens();
      const frame = await blockFrame(bridge, bytes('x'));
      const enc = frame.enc.slice();
      enc[at] = value;
      assert.deepEqual(await app.open({ ...frame, enc }), { ok: false, code: 'resync' });
      assert.equal(opens(), before);
    }
  });

  it('tells a control from a block whose hint is control, whatever came before', async () => {
    const { app, bridge } = await livePair();
    for (const type of ['block', 'control'] as const) {
      const sealed = await bridge.seal(CONTROL, bytes('receipt'));
      assert.ok(sealed.ok);
      const opened = await app.open({ ...CONTROL, type, sessionId: app.sessionId, enc: sealed.value });
      assert.equal(opened.ok, type === 'block');
    }
  });

  it('stays open after a drop: late frames of another channel are ignored in silence', async () => {
    const [{ app, bridge }, other] = [await livePair(), await livePair()];
    const late = await blockFrame(other.bridge, bytes('late'));
    assert.deepEqual(await app.open(late), { ok: false, code: 'drop' });
    const frame = await blockFrame(bridge, bytes('x'));
    assert.deepEqual(await app.open({ ...frame, sessionId: 'session-2' }), { ok: false, code: 'drop' });
    assert.deepEqual(await app.open({ ...frame, enc: frame.enc.subarray(0, 27) }), {
      ok: false,
      code: 'drop',
    });
    assert.ok((await app.open(frame)).ok);
  });

  it('drops what was waiting when it is disposed', async () => {
    const { app, bridge } = await livePair();
    const pending = app.open(await blockFrame(bridge, bytes('x')));
    app.dispose();
    assert.deepEqual(await pending, { ok: false, code: 'drop' });
  });

  it('delivers exactly the in-order prefix of any reordered, replayed or thinned stream', async () => {
    const streams = fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(streams, async arrivals => {
        const { app, bridge } = await livePair();
        const frames = [];
        for (let i = 0; i < 8; i++) frames.push(await blockFrame(bridge, Uint8Array.of(i)));
        const delivered: number[] = [];
        for (const index of arrivals) {
          const frame = frames[index];
          assert.ok(frame !== undefined);
          const opened = await app.open(frame);
          if (opened.ok) delivered.push(opened.value[0] ?? -1);
        }
        const broken = arrivals.findIndex((index, position) => index !== position);
        assert.deepEqual(delivered, arrivals.slice(0, broken === -1 ? arrivals.length : broken));
        assert.equal(app.isClosed, broken !== -1);
      }),
    );
  });

  it('refuses any single flipped bit of a frame', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 0, max: 7 }), async (position, bit) => {
        const { app, bridge } = await livePair();
        const frame = await blockFrame(bridge, bytes('the words'));
        const enc = frame.enc.slice();
        const at = position % enc.length;
        enc[at] = (enc[at] ?? 0) ^ (1 << bit);
        const opened = await app.open({ ...frame, enc });
        assert.ok(!opened.ok);
        assert.equal(opened.code, at >= 1 && at <= 4 ? 'drop' : 'resync');
      }),
    );
  });
});
