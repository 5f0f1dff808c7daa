import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { RelayHarness } from './relayHarness.ts';
import { base64, newIdentity, TestBridge } from './testBridge.ts';
import { claim, openPairing, startPairing, TestPhone } from './testPhone.ts';
import type { TestSocket } from './testSocket.ts';

const EPK = base64(randomBytes(96));
const ENC = base64(randomBytes(284));

for (const encoding of ['json', 'binary'] as const)
  describe(`relay: routing between a bridge and its phones, all in ${encoding} [D7]`, () => {
    let relay: RelayHarness;
    let bridge: TestBridge;
    let phone: TestPhone;
    let socket: TestSocket;
    beforeEach(async () => {
      relay = await RelayHarness.start();
      bridge = await TestBridge.register(relay, newIdentity(), { sessions: ['s1'], encoding });
      phone = await TestPhone.pair(relay, bridge);
      socket = await phone.connect(relay, encoding);
    });
    afterEach(() => relay.dispose());

    function request(sessionId: string, instanceId = bridge.instanceId, more: object = {}): object {
      return {
        type: 'session_request',
        instance_id: instanceId,
        session_id: sessionId,
        request_id: 'r1',
        ios_epk: EPK,
        ...more,
      };
    }

    function control(sessionId: string, more: object = {}): object {
      return { type: 'control', session_id: sessionId, enc: ENC, server_ts: 12.5, ...more };
    }

    it('brings a block to its phone unchanged but for the verified sig and dest [T12, T34, T35]', async () => {
      const enc = randomBytes(640);
      bridge.block({ sessionId: 's1', dest: phone.deviceId, enc });
      assert.deepEqual(await socket.next('block'), {
        type: 'block',
        session_id: 's1',
        block_type: 'text',
        enc: base64(enc),
        replay: false,
        server_ts: 1_795_980_000.125,
      });
    });

    it('carries requests, answers, controls and errors both ways, naming the device itself [T40, T47]', async () => {
      socket.send(request('s1', bridge.instanceId, { device_id: 'dev_forged' }));
      const asked = await bridge.socket.next('session_request');
      assert.deepEqual(asked, { ...request('s1'), device_id: phone.deviceId });
      bridge.socket.send({
        type: 'session_accept',
        session_id: 's1',
        request_id: 'r1',
        bridge_epk: base64(randomBytes(48)),
        generation: 3,
        dest: phone.deviceId,
      });
      const accepted = await socket.next('session_accept');
      assert.equal(accepted.generation, 3);
      assert.equal('dest' in accepted, false);

      socket.send(control('s1', { device_id: 'dev_forged' }));
      assert.deepEqual(await bridge.socket.next('control'), {
        ...control('s1'),
        device_id: phone.deviceId,
      });
      const refusal = { type: 'error', code: 'busy', message: 'full', session_id: 's1', request_id: 'r1' };
      bridge.socket.send({ ...refusal, dest: phone.deviceId });
      assert.deepEqual(await socket.next('error'), refusal);
    });

    it('finds a session that was opened after register, and forgets one that was closed', async () => {
      socket.send(control('s2'));
      assert.deepEqual(await socket.next('error'), {
        type: 'error',
        code: 'stale_session',
        message: 'no window to deliver this to',
        session_id: 's2',
      });
      bridge.socket.send({ type: 'session_opened', session_id: 's2', instance_id: bridge.instanceId });
      // Frames of one socket are handled in order: the block proves that the announcement was read.
      bridge.block({ sessionId: 's2', dest: phone.deviceId });
      await socket.next('block');
      socket.send(control('s2'));
      assert.equal((await bridge.socket.next('control')).session_id, 's2');
      bridge.socket.send({ type: 'session_closed', session_id: 's2', instance_id: bridge.instanceId });
      bridge.block({ sessionId: 's1', dest: phone.deviceId });
      await socket.next('block');
      socket.send(request('s2'));
      await bridge.socket.next('session_request');
      socket.send({ type: 'session_resume', session_id: 's2', request_id: 'r9', ios_epk: EPK });
      const error = await socket.next('error');
      assert.equal(error.code, 'stale_session');
      assert.equal(error.request_id, 'r9');
    });

    it('delivers one window nothing that is for another [D6]', async () => {
      const other = await TestBridge.register(relay, bridge.identity, { sessions: ['t1'], encoding });
      socket.send(request('t1', bridge.instanceId));
      assert.equal((await socket.next('error')).code, 'stale_session');
      socket.send(request(`ctl:${other.instanceId}`, bridge.instanceId));
      assert.equal((await socket.next('error')).code, 'not_found');
      socket.send(request('t1', randomBytes(16).toString('hex')));
      assert.equal((await socket.next('error')).code, 'not_found');
      other.block({ sessionId: 's1', dest: phone.deviceId });
      assert.equal((await other.socket.next('error')).code, 'not_owner');
      other.block({ sessionId: `ctl:${bridge.instanceId}`, dest: phone.deviceId });
      assert.equal((await other.socket.next('error')).code, 'not_owner');
      other.socket.send({ type: 'session_closed', session_id: 's1', instance_id: other.instanceId });
      other.block({ sessionId: 't1', dest: phone.deviceId });
      await socket.next('block');
      socket.send(control('s1'));
      await bridge.socket.next('control');
      assert.deepEqual(other.socket.unread, []);
    });

    it('lets nothing cross from one bridge to another', async () => {
      const stranger = await TestBridge.register(relay, newIdentity(), { sessions: ['s1', 'x1'], encoding });
      const theirs = await TestPhone.pair(relay, stranger);
      const theirSocket = await theirs.connect(relay, encoding);
      // By instance, by session, by dest.
      theirSocket.send(request('s1', bridge.instanceId));
      assert.equal((await theirSocket.next('error')).code, 'not_found');
      theirSocket.send(control(`ctl:${bridge.instanceId}`));
      assert.equal((await theirSocket.next('error')).code, 'stale_session');
      theirSocket.send(control('s1'));
      await stranger.socket.next('control');
      stranger.block({ sessionId: 's1', dest: phone.deviceId });
      stranger.block({ sessionId: 's1', dest: theirs.deviceId });
      await theirSocket.next('block');
      bridge.block({ sessionId: 's1', dest: phone.deviceId });
      await socket.next('block');
      assert.deepEqual(socket.unread, []);
      assert.deepEqual(bridge.socket.unread, []);
      const revoked = await relay.call('DELETE', `/v1/devices/${phone.deviceId}`, { token: stranger.token });
      assert.equal(revoked.status, 404);
    });

    it('closes a bridge whose frame does not verify, and delivers nothing of it [K13]', async () => {
      bridge.block({ sessionId: 's1', dest: phone.deviceId, sig: base64(randomBytes(16)) });
      assert.equal((await bridge.socket.next('error')).code, 'bad_mac');
      assert.equal((await bridge.socket.ending).code, 4400);
      await socket.next('bridge_gone');
      assert.deepEqual(socket.unread.includes('block'), false);
    });

    it('closes a bridge that sends a block without sig or in the other form', async () => {
      bridge.block({ sessionId: 's1', dest: phone.deviceId, sig: null });
      assert.equal((await bridge.socket.next('error')).code, 'bad_mac');
      const second = await TestBridge.register(relay, bridge.identity, { encoding });
      second.block({ sessionId: 's5', dest: phone.deviceId, sig: base64(randomBytes(64)) });
      assert.equal((await second.socket.next('error')).code, 'bad_mac');
    });

    it('counts block frames only, and refuses one that comes twice [K13]', async () => {
      bridge.block({ sessionId: 's1', dest: phone.deviceId });
      bridge.socket.send({ type: 'session_opened', session_id: 's7', instance_id: bridge.instanceId });
      bridge.block({ sessionId: 's1', dest: phone.deviceId });
      await socket.next('block');
      await socket.next('block');
      bridge.socket.send(bridge.block({ sessionId: 's1', dest: phone.deviceId }));
      await socket.next('block');
      assert.equal((await bridge.socket.next('error')).code, 'bad_mac');
      assert.equal((await bridge.socket.ending).code, 4400);
    });

    it('verifies the documented per-envelope Ed25519 form too [T35, D8]', async () => {
      const signing = await TestBridge.register(relay, bridge.identity, { sigMode: 'ed25519', encoding });
      signing.block({ sessionId: 'e1', dest: phone.deviceId });
      assert.equal((await socket.next('block')).session_id, 'e1');
      signing.block({ sessionId: 'e1', dest: phone.deviceId, sig: base64(randomBytes(64)) });
      assert.equal((await signing.socket.ending).code, 4400);
    });

    it('tells the bridge when a phone goes, and drops what comes for it', async () => {
      await socket.close();
      assert.equal((await bridge.socket.next('client_gone')).device_id, phone.deviceId);
      bridge.block({ sessionId: 's1', dest: phone.deviceId });
      const back = await phone.connect(relay, encoding);
      bridge.block({ sessionId: 's1', dest: phone.deviceId, enc: Buffer.alloc(40, 7) });
      assert.equal((await back.next('block')).enc, base64(Buffer.alloc(40, 7)));
    });

    it('answers owner_unavailable while no window is there', async () => {
      await bridge.socket.close();
      await socket.next('bridge_gone');
      socket.send(request('s1'));
      const error = await socket.next('error');
      assert.deepEqual([error.code, error.session_id, error.request_id], ['owner_unavailable', 's1', 'r1']);
    });

    it('confines a phone that pairs to its own session and window', async () => {
      const other = await TestBridge.register(relay, bridge.identity, { encoding });
      const pairId = await startPairing(relay, bridge);
      const pairing = await openPairing(relay, await claim(relay, pairId), encoding);
      const status = await pairing.next('relay_status');
      assert.deepEqual(status.instances, [bridge.instanceId]);
      for (const frame of [
        request('s1'),
        request(`ctl:${bridge.instanceId}`),
        request(`pair:${pairId}`, other.instanceId),
        control('s1'),
      ]) {
        pairing.send(frame);
        assert.equal((await pairing.next('error')).code, 'not_found');
      }
      pairing.send(request(`pair:${pairId}`, bridge.instanceId, { device_id: phone.deviceId }));
      assert.equal('device_id' in (await bridge.socket.next('session_request')), false);
      pairing.send(control(`pair:${pairId}`, { device_id: phone.deviceId }));
      assert.equal('device_id' in (await bridge.socket.next('control')), false);
      // Another window of the bridge cannot speak in it, a paired phone cannot either.
      other.block({ sessionId: `pair:${pairId}` });
      socket.send(control(`pair:${pairId}`));
      assert.equal((await socket.next('error')).code, 'not_found');
      bridge.block({ sessionId: `pair:${pairId}`, enc: Buffer.alloc(40, 9) });
      assert.equal((await pairing.next('block')).enc, base64(Buffer.alloc(40, 9)));
    });
  });
