import assert from 'node:assert/strict';
import type { CryptoPort } from '../../../core/crypto/cryptoPort.ts';
import { initiate, respond, type ResponderOptions } from '../../../core/crypto/handshake.ts';
import { aesGcmCipher } from '../../../core/crypto/noiseCipher.ts';
import { NoiseHandshake } from '../../../core/crypto/noiseHandshake.ts';
import { IKPSK1 } from '../../../core/crypto/noisePattern.ts';
import { handshakePrologue } from '../../../core/crypto/prologue.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';

const crypto = nodeCrypto;
const fields = {
  kind: 'pair',
  bridgeId: 'b_1',
  instanceId: '0123456789abcdef0123456789abcdef',
  sessionId: 'pair:p1',
} as const;

/** What both ends keep from one connection to the next. */
async function longTermKeys() {
  const [deviceKey, bridgeKey] = [await crypto.generateDhKey(), await crypto.generateDhKey()];
  return { deviceKey, bridgeKey, psk: crypto.randomBytes(32) };
}

/** A started handshake of an app, and the options of the bridge that may answer it. */
async function start(keys?: Awaited<ReturnType<typeof longTermKeys>>) {
  const { deviceKey, bridgeKey, psk } = keys ?? (await longTermKeys());
  const started = await initiate(crypto, { ...fields, deviceKey, bridgePublicKey: bridgeKey.publicKey, psk });
  assert.ok(started.ok);
  const responder: ResponderOptions = {
    ...fields,
    bridgeKey,
    message1: started.value.message1,
    pskFor: () => psk,
    isChannelTaken: () => false,
  };
  return { initiation: started.value, responder, deviceKey };
}

/** A port that counts the ephemerals it draws. */
function counting(port: CryptoPort): { readonly port: CryptoPort; readonly drawn: () => number } {
  let drawn = 0;
  return {
    drawn: () => drawn,
    port: {
      ...port,
      generateDhKey() {
        drawn++;
        return port.generateDhKey();
      },
    },
  };
}

describe('the profile handshake', () => {
  it('gives both sides the same secrets and the peer’s proven key [T38]', async () => {
    const { initiation, responder, deviceKey } = await start();
    const answered = await respond(crypto, responder);
    assert.ok(answered.ok);
    const finished = await initiation.finish(answered.value.message2);
    assert.ok(finished.ok);
    const { remoteStatic, ...secrets } = finished.value;
    const { remoteStatic: device, ...bridgeSecrets } = answered.value.secrets;
    assert.deepEqual(secrets, bridgeSecrets);
    assert.deepEqual(device, deviceKey.publicKey);
    assert.deepEqual(remoteStatic, responder.bridgeKey.publicKey);
  });

  it('redraws its ephemeral while the ch belongs to a live channel [K24]', async () => {
    const { initiation, responder } = await start();
    const taken: Uint8Array[] = [];
    const { port, drawn } = counting(crypto);
    const answered = await respond(port, {
      ...responder,
      isChannelTaken(ch) {
        taken.push(ch);
        return taken.length < 3;
      },
    });
    assert.ok(answered.ok);
    assert.equal(drawn(), 3);
    assert.deepEqual(answered.value.secrets.ch, taken[2]);
    assert.notDeepEqual(taken[0], taken[1]);
    const finished = await initiation.finish(answered.value.message2);
    assert.ok(finished.ok);
    assert.deepEqual(finished.value.ch, answered.value.secrets.ch);
  });

  it('gives up after a bounded number of redraws', async () => {
    const { responder } = await start();
    const { port, drawn } = counting(crypto);
    const answered = await respond(port, { ...responder, isChannelTaken: () => true });
    assert.deepEqual(answered, { ok: false, code: 'unauthorized' });
    assert.equal(drawn(), 16);
  });

  it('still finishes after a forged answer was refused', async () => {
    const { initiation, responder } = await start();
    assert.deepEqual(await initiation.finish(crypto.randomBytes(48)), { ok: false, code: 'unauthorized' });
    assert.deepEqual(await initiation.finish(crypto.randomBytes(47)), { ok: false, code: 'unauthorized' });
    const answered = await respond(crypto, responder);
    assert.ok(answered.ok);
    assert.ok((await initiation.finish(answered.value.message2)).ok);
  });

  it('refuses a message 2 that carries a payload, even one that verifies [K8]', async () => {
    const { initiation, responder } = await start();
    const talkative = NoiseHandshake.start({
      port: { hash: crypto, cipher: aesGcmCipher(crypto) },
      pattern: IKPSK1,
      initiator: false,
      prologue: handshakePrologue(fields),
      staticKey: responder.bridgeKey,
      generateEphemeral: () => crypto.generateDhKey(),
      pskFor: () => responder.pskFor(new Uint8Array(32)),
    });
    assert.ok((await talkative.read(responder.message1)).ok);
    const quiet = await talkative.clone().write(new Uint8Array(0));
    const loud = await talkative.clone().write(new Uint8Array(1));
    assert.ok(quiet.ok && loud.ok);
    assert.deepEqual(await initiation.finish(loud.value), { ok: false, code: 'unauthorized' });
    assert.ok((await initiation.finish(quiet.value)).ok);
  });

  it('refuses a handshake whose prologue has another label or version, in either direction', async () => {
    const { deviceKey, bridgeKey, psk } = await longTermKeys();
    const right = handshakePrologue(fields);
    const label = 'relay-e2e/1';
    assert.equal(Buffer.from(right.subarray(0, label.length)).toString(), label);
    const other = (name: string) => Buffer.concat([Buffer.from(name), right.subarray(label.length)]);
    const party = (initiator: boolean, prologue: Uint8Array) =>
      NoiseHandshake.start({
        port: { hash: crypto, cipher: aesGcmCipher(crypto) },
        pattern: IKPSK1,
        initiator,
        prologue,
        staticKey: initiator ? deviceKey : bridgeKey,
        generateEphemeral: () => crypto.generateDhKey(),
        pskFor: () => psk,
        ...(initiator ? { remoteStatic: bridgeKey.publicKey } : {}),
      });
    const respondTo = (message1: Uint8Array) =>
      respond(crypto, {
        ...fields,
        bridgeKey,
        message1,
        pskFor: () => psk,
        isChannelTaken: () => false,
      });
    const answerTo = async (prologue: Uint8Array) => {
      const message1 = await party(true, prologue).write(new Uint8Array(0));
      assert.ok(message1.ok);
      return respondTo(message1.value);
    };
    assert.ok((await answerTo(right)).ok, 'all else fits');
    for (const name of ['relay-e2e/0', 'relay-e2e/2', 'relay-e2e', 'other-e2e/1'])
      assert.deepEqual(await answerTo(other(name)), { ok: false, code: 'unauthorized' }, name);
    // A machine of another version cannot read what a phone of this one says first.
    const { message1 } = (await start({ deviceKey, bridgeKey, psk })).initiation;
    assert.ok((await party(false, right).read(message1)).ok);
    assert.equal((await party(false, other('relay-e2e/2')).read(message1)).ok, false);
  });

  it('asks for no psk before the static key has been decrypted, and answers an unknown one alike', async () => {
    const { responder } = await start();
    const asked: Uint8Array[] = [];
    const unknown = await respond(crypto, {
      ...responder,
      pskFor(key) {
        asked.push(key);
        return undefined;
      },
    });
    assert.deepEqual(unknown, { ok: false, code: 'unauthorized' });
    assert.equal(asked.length, 1);
    const garbled = responder.message1.map((byte, at) => (at === 40 ? byte ^ 1 : byte));
    const refused = await respond(crypto, {
      ...responder,
      message1: garbled,
      pskFor(key) {
        asked.push(key);
        return undefined;
      },
    });
    assert.deepEqual(refused, unknown);
    assert.equal(asked.length, 1, 'a garbled static never reaches the allow-list');
  });

  it('answers the same message 1 again without remembering it', async () => {
    const { initiation, responder } = await start();
    const [first, second] = [await respond(crypto, responder), await respond(crypto, responder)];
    assert.ok(first.ok && second.ok);
    assert.notDeepEqual(first.value.message2, second.value.message2);
    assert.ok((await initiation.finish(second.value.message2)).ok);
  });

  it('agrees on other keys each time from the same long-term ones: no reconnect, crash or clone meets a nonce again [T41]', async () => {
    const keys = await longTermKeys();
    const agreed: string[] = [];
    for (let connection = 0; connection < 3; connection += 1) {
      const { responder } = await start(keys);
      // The second one is a copy of the machine, in the middle of the same handshake.
      for (const machine of [responder, { ...responder }]) {
        const answered = await respond(crypto, machine);
        assert.ok(answered.ok);
        const { appToBridgeKey, bridgeToAppKey } = answered.value.secrets;
        agreed.push(...[appToBridgeKey, bridgeToAppKey].map(key => Buffer.from(key).toString('hex')));
      }
    }
    assert.equal(new Set(agreed).size, 12);
  });

  it('tells nobody its keys who recorded it and has every long-term key now', async () => {
    const keys = await longTermKeys();
    const { initiation, responder } = await start(keys);
    const answered = await respond(crypto, responder);
    assert.ok(answered.ok);
    const { message2, secrets } = answered.value;
    assert.ok((await initiation.finish(message2)).ok);
    const asMachine = await respond(crypto, responder);
    assert.ok(asMachine.ok, 'the thief can answer as the machine');
    assert.notDeepEqual(asMachine.value.secrets.appToBridgeKey, secrets.appToBridgeKey);
    assert.notDeepEqual(asMachine.value.secrets.bridgeToAppKey, secrets.bridgeToAppKey);
    const asPhone = await start(keys);
    assert.deepEqual(await asPhone.initiation.finish(message2), { ok: false, code: 'unauthorized' });
  });
});
