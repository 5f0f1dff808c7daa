import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { subprotocols } from '../../../core/protocol/envelope/subprotocol.ts';
import { RelayHarness } from './relayHarness.ts';
import { base64, newIdentity, TestBridge } from './testBridge.ts';
import { TestPhone } from './testPhone.ts';

const { binary, json } = subprotocols;
/** Base64 makes it a third longer: as JSON it is over 256 KiB. */
const largeEnc = randomBytes(230_000);

describe('relay: the two encodings side by side [D7]', () => {
  let relay: RelayHarness;
  beforeEach(async () => {
    relay = await RelayHarness.start();
  });
  afterEach(() => relay.dispose());

  for (const [offered, chosen] of [
    [[binary, json], binary],
    [[json, binary], binary],
    [['later', binary], binary],
    [[json], json],
    [['later', json], json],
  ] as const) {
    it(`a peer that offers ${offered.join(', ')} gets ${chosen}`, async () => {
      const ws = new WebSocket(`${relay.url.replace('http', 'ws')}/v1/socket`, [...offered]);
      const [data, isBinary] = await new Promise<[unknown, boolean]>(resolve =>
        ws.once('message', (...message) => resolve(message)),
      );
      assert.equal(ws.protocol, chosen);
      assert.equal(isBinary, false, 'the challenge is text');
      assert.match(String(data), /^\{"type":"challenge"/);
      ws.terminate();
    });
  }

  for (const [window, phoneSpeaks] of [
    ['json', 'binary'],
    ['binary', 'json'],
  ] as const)
    describe(`a window in ${window} and a phone in ${phoneSpeaks}`, () => {
      it('hear each other as if both spoke the same [T12] [T34] [T35]', async () => {
        const identity = newIdentity();
        const bridge = await TestBridge.register(relay, identity, { sessions: ['s1'], encoding: window });
        const phone = await TestPhone.pair(relay, bridge);
        const socket = await phone.connect(relay, phoneSpeaks);
        for (const size of [28, 300, 70_000]) {
          const enc = randomBytes(size);
          bridge.block({ sessionId: 's1', dest: phone.deviceId, enc });
          assert.deepEqual(await socket.next('block'), {
            type: 'block',
            session_id: 's1',
            block_type: 'text',
            enc: base64(enc),
            replay: false,
            server_ts: 1_795_980_000.125,
          });
          const control = { type: 'control', session_id: 's1', enc: base64(enc), server_ts: 12.125 };
          socket.send({ ...control, device_id: 'dev_forged' });
          assert.deepEqual(await bridge.socket.next('control'), { ...control, device_id: phone.deviceId });
        }
      });

      it('lose what nobody could open, and nothing else', async () => {
        const bridge = await TestBridge.register(relay, newIdentity(), {
          sessions: ['s1'],
          encoding: window,
        });
        const phone = await TestPhone.pair(relay, bridge);
        const socket = await phone.connect(relay, phoneSpeaks);
        const short = { session_id: 's1', enc: 'AAAA', server_ts: 1 };
        if (window === 'json') bridge.block({ sessionId: 's1', dest: phone.deviceId, enc: Buffer.alloc(3) });
        else socket.send(JSON.stringify({ type: 'control', ...short }));
        bridge.block({ sessionId: 's1', dest: phone.deviceId, enc: Buffer.alloc(40, 7) });
        assert.equal((await socket.next('block')).enc, base64(Buffer.alloc(40, 7)));
        socket.send({ type: 'control', session_id: 's1', enc: base64(Buffer.alloc(40)), server_ts: 1 });
        assert.equal((await bridge.socket.next('control')).enc, base64(Buffer.alloc(40)));
      });
    });

  it('a window is told when its block is too large for a phone in JSON, which stays connected [T54]', async () => {
    const bridge = await TestBridge.register(relay, newIdentity(), { sessions: ['s1'], encoding: 'binary' });
    const phone = await TestPhone.pair(relay, bridge);
    const socket = await phone.connect(relay, 'json');
    bridge.block({ sessionId: 's1', dest: phone.deviceId, enc: largeEnc });
    const refusal = await bridge.socket.next('error');
    assert.deepEqual([refusal.code, refusal.session_id], ['frame_too_large', 's1']);
    bridge.block({ sessionId: 's1', dest: phone.deviceId, enc: Buffer.alloc(40, 7) });
    assert.equal((await socket.next('block')).enc, base64(Buffer.alloc(40, 7)));
    assert.deepEqual(socket.unread, []);
  });

  for (const [phoneSpeaks, window, enc] of [
    ['binary', 'json', base64(largeEnc)],
    // Within the bound as it comes, and over it with the device's name.
    ['binary', 'binary', base64(randomBytes(262_144 - 11 - 1 - 2))],
    ['json', 'json', 'A'.repeat(262_144 - 60)],
  ] as const) {
    it(`a phone in ${phoneSpeaks} is told when its control is too large for a window in ${window}, which stays connected [T54]`, async () => {
      const bridge = await TestBridge.register(relay, newIdentity(), { sessions: ['s1'], encoding: window });
      const phone = await TestPhone.pair(relay, bridge);
      const socket = await phone.connect(relay, phoneSpeaks);
      socket.send({ type: 'control', session_id: 's1', enc, server_ts: 1 });
      const refusal = await socket.next('error');
      assert.deepEqual([refusal.code, refusal.session_id], ['frame_too_large', 's1']);
      const small = base64(Buffer.alloc(40));
      socket.send({ type: 'control', session_id: 's1', enc: small, server_ts: 1 });
      assert.equal((await bridge.socket.next('control')).enc, small);
    });
  }
});
