import assert from 'node:assert/strict';
import { base64 } from '@scure/base';
import { initiate } from '../../../core/crypto/handshake.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { limits } from '../../../core/protocol/limits.ts';
import {
  controlFrame,
  sessionAccept,
  sessionRequest,
  type SessionRequest,
} from '../../../core/protocol/relayFrame.ts';
import { invite, startParts, untilOnline, type Parts } from '../../fakes/chain.ts';
import { ShiftableClock } from '../../fakes/shiftableClock.ts';
import { untilChange, untilSignal } from '../../fakes/until.ts';

describe('pairing', () => {
  let parts: Parts;
  let clock: ShiftableClock;
  beforeEach(async () => {
    clock = new ShiftableClock();
    parts = await startParts({ clock, proxied: true });
    await untilOnline(parts.bridge);
  });
  afterEach(() => parts.dispose());

  async function fails(invitation: Awaited<ReturnType<typeof invite>>): Promise<string> {
    assert.equal(await parts.phone.pair(invitation), false);
    const { value } = parts.phone.pairing;
    return value.phase === 'failed' ? value.reason : value.phase;
  }

  function codeOnPhone(): Promise<string> {
    return untilSignal('a code', parts.phone.pairing, state =>
      state.phase === 'code' ? state.code : undefined,
    );
  }

  function deskAsks(): Promise<unknown> {
    const { pairing } = parts.bridge;
    return untilChange('the desk asks', () => pairing.state.phase === 'code', pairing.onDidChange);
  }

  function toldLate(): Promise<void> {
    return new Promise(resolve => parts.bridge.pairing.onDidRefuseLate(resolve));
  }

  it('refuses a wrong secret, says so at the desk, and leaves the code usable', async () => {
    const invitation = await invite(parts.bridge);
    assert.equal(await fails({ ...invitation, secret: nodeCrypto.randomBytes(32) }), 'refused');
    const { state } = parts.bridge.pairing;
    assert.deepEqual([state.phase, state.phase === 'waiting' && state.refused], ['waiting', 1]);
    const paired = parts.phone.pair(invitation);
    const code = await codeOnPhone();
    await deskAsks();
    await parts.bridge.pairing.submitCode(code);
    assert.equal(await paired, true);
    assert.equal(parts.bridge.devices.length, 1);
  });

  it('refuses a used link with the same word as a wrong one, and the desk hears of it', async () => {
    const invitation = await invite(parts.bridge);
    const paired = parts.phone.pair(invitation);
    const code = await codeOnPhone();
    await deskAsks();
    await parts.bridge.pairing.submitCode(code);
    assert.equal(await paired, true);
    const told = toldLate();
    assert.equal(await fails(invitation), 'refused');
    await told;
  });

  it('refuses an expired link with the same word, and the desk says that it expired', async () => {
    const invitation = await invite(parts.bridge);
    clock.shift(limits.pairingMs + 1);
    assert.deepEqual(parts.bridge.pairing.state, { phase: 'failed', reason: 'expired' });
    // So long without a ping, the connection was given up too; it comes back by itself.
    const { bridge } = parts;
    await untilChange('it noticed', () => bridge.connection.phase !== 'online', bridge.onDidChangeConnection);
    await untilOnline(bridge);
    const told = toldLate();
    assert.equal(await fails(invitation), 'refused');
    await told;
    assert.equal(parts.bridge.devices.length, 0);
  });

  it('gives the code one try: a wrong number pairs nothing, on either side', async () => {
    const paired = parts.phone.pair(await invite(parts.bridge));
    const code = await codeOnPhone();
    await deskAsks();
    await parts.bridge.pairing.submitCode(code === '000000' ? '000001' : '000000');
    assert.deepEqual(parts.bridge.pairing.state, { phase: 'failed', reason: 'wrong_code' });
    assert.equal(await paired, false);
    assert.deepEqual(parts.phone.pairing.value, { phase: 'failed', reason: 'denied' });
    await parts.bridge.pairing.submitCode(code);
    assert.equal(parts.bridge.devices.length, 0);
  });

  it('does not pair over a relay that answers in place of the machine [F67]', async () => {
    const invitation = await invite(parts.bridge);
    assert.ok(parts.proxy);
    parts.proxy.meddle = (side, text) => {
      const frame = sessionAccept.safeParse(jsonValue(text));
      if (side === 'toRelay' || !frame.success) return text;
      const forged = base64.encode(nodeCrypto.randomBytes(48));
      return JSON.stringify({ ...frame.data, bridge_epk: forged });
    };
    assert.equal(await fails(invitation), 'identity');
    assert.equal(parts.bridge.devices.length, 0);
  });

  it('does not pair a relay that puts its own key in place of the phone’s [F67]', async () => {
    const invitation = await invite(parts.bridge);
    const own = await initiate(nodeCrypto, {
      kind: 'pair',
      bridgeId: invitation.bridgeId,
      instanceId: invitation.instanceId,
      sessionId: `pair:${invitation.pairId}`,
      deviceKey: await nodeCrypto.generateDhKey(),
      // The relay knows the machine's public key, and not the secret of the code.
      bridgePublicKey: invitation.bridgePublicKey,
      psk: nodeCrypto.randomBytes(32),
    });
    assert.ok(own.ok && parts.proxy);
    parts.proxy.meddle = (side, text) => {
      const frame = sessionRequest.safeParse(jsonValue(text));
      if (side === 'fromRelay' || !frame.success) return text;
      return JSON.stringify({ ...frame.data, ios_epk: base64.encode(own.value.message1) });
    };
    assert.equal(await fails(invitation), 'refused');
    const { state } = parts.bridge.pairing;
    assert.equal(state.phase === 'waiting' && state.refused, 1);
    assert.equal(parts.bridge.devices.length, 0);
  });

  it('lets only one phone in with one code: a second one is refused, and the desk is warned', async () => {
    const invitation = await invite(parts.bridge);
    const first = parts.phone.pair(invitation);
    const code = await codeOnPhone();
    await deskAsks();
    const second = await startParts({ clock });
    assert.equal(await second.phone.pair(invitation), false);
    assert.deepEqual(second.phone.pairing.value, { phase: 'failed', reason: 'refused' });
    await second.dispose();
    const { state } = parts.bridge.pairing;
    assert.equal(state.phase === 'code' && state.refused, 1);
    await parts.bridge.pairing.submitCode(code);
    assert.equal(await first, true);
  });

  it('pairs nothing when it is cancelled while the relay registers the phone, on either side', async () => {
    const paired = parts.phone.pair(await invite(parts.bridge));
    const code = await codeOnPhone();
    await deskAsks();
    const submitted = parts.bridge.pairing.submitCode(code);
    assert.equal(parts.bridge.pairing.state.phase, 'registering');
    parts.bridge.pairing.cancel();
    await submitted;
    assert.equal(await paired, false);
    assert.equal(parts.bridge.devices.length, 0);
    assert.equal(parts.bridge.pairing.state.phase, 'idle');
  });

  it('keeps to the first phone when a second message 1 comes for the same code, made with its secret', async () => {
    const invitation = await invite(parts.bridge);
    assert.ok(parts.proxy);
    const own = await initiate(nodeCrypto, {
      kind: 'pair',
      bridgeId: invitation.bridgeId,
      instanceId: invitation.instanceId,
      sessionId: `pair:${invitation.pairId}`,
      deviceKey: await nodeCrypto.generateDhKey(),
      bridgePublicKey: invitation.bridgePublicKey,
      psk: invitation.secret,
    });
    assert.ok(own.ok);
    const ios_epk = base64.encode(own.value.message1);
    let first: SessionRequest | undefined;
    // The relay lets nobody else in by itself; this one slips in a second request once the first has been answered.
    parts.proxy.meddle = (side, text) => {
      const value = jsonValue(text);
      // The first phone is not to hear what the second is told.
      if (side === 'toRelay' && text.includes('"request_id":"second"')) return undefined;
      const request = sessionRequest.safeParse(value);
      if (side === 'fromRelay' && request.success) first = request.data;
      if (side === 'toRelay' || first === undefined || !controlFrame.safeParse(value).success) return text;
      const second = { ...first, request_id: 'second', ios_epk };
      first = undefined;
      return [JSON.stringify(second), text];
    };
    const paired = parts.phone.pair(invitation);
    const code = await codeOnPhone();
    const { pairing } = parts.bridge;
    const isWarned = (): boolean => pairing.state.phase === 'code' && pairing.state.refused === 1;
    await untilChange('the desk is warned', isWarned, pairing.onDidChange);
    await pairing.submitCode(code);
    assert.equal(await paired, true);
  });

  it('forgets a revoked phone at once: its channel ends and it cannot come back [R3]', async () => {
    const paired = parts.phone.pair(await invite(parts.bridge));
    const code = await codeOnPhone();
    await deskAsks();
    await parts.bridge.pairing.submitCode(code);
    assert.equal(await paired, true);
    const [machine] = parts.phone.machines.value;
    assert.ok(machine);
    await untilSignal('a window', machine.windows, windows => windows.find(w => w.state !== undefined));
    const [device] = parts.bridge.devices;
    assert.ok(device);
    await parts.bridge.revoke(device.device_id);
    const state = await untilSignal('the end', machine.connection, connection =>
      connection.phase === 'stopped' ? connection : undefined,
    );
    assert.equal(state.reason, 'revoked');
    assert.equal(parts.bridge.devices.length, 0);
  });
});
