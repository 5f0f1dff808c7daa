import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { limits } from '../../../core/protocol/limits.ts';
import { relayLimits } from '../../../relay/limits/relayLimits.ts';
import { RelayHarness } from './relayHarness.ts';
import { nextTokens, resumeOf, tokensOf } from './resumeToken.ts';
import { newIdentity, TestBridge } from './testBridge.ts';
import { TestPhone } from './testPhone.ts';
import type { TestSocket } from './testSocket.ts';

describe('relay: which resume tokens a status carries', () => {
  let relay: RelayHarness;
  let bridge: TestBridge;
  let phone: TestPhone;

  async function start(settings: { publicUrl?: URL } = {}): Promise<void> {
    relay = await RelayHarness.start(settings);
    bridge = await TestBridge.register(relay, newIdentity(), { sessions: ['s1'] });
    phone = await TestPhone.pair(relay, bridge);
  }
  afterEach(() => relay.dispose());

  function open(...sessions: readonly string[]): void {
    for (const session_id of sessions)
      bridge.socket.send({ type: 'session_opened', session_id, instance_id: bridge.instanceId });
  }

  /** Reads statuses until `count` tokens came. */
  async function collect(
    socket: TestSocket,
    count: number,
  ): Promise<{ tokens: Record<string, string>; frames: number }> {
    const tokens: Record<string, string> = {};
    let frames = 0;
    while (Object.keys(tokens).length < count) {
      const status = await socket.next('relay_status');
      assert.ok(JSON.stringify(status).length <= limits.frameBytes);
      Object.assign(tokens, tokensOf(status));
      frames += 1;
    }
    return { tokens, frames };
  }

  it('brings those of sessions that are opened later, several at once, and they count [T45]', async () => {
    await start();
    const socket = await phone.connect(relay);
    open('s2', 's3', 's2');
    const tokens = await nextTokens(socket);
    assert.deepEqual(Object.keys(tokens), ['s2', 's3']);
    socket.send(resumeOf('s3', tokens.s3));
    assert.equal((await bridge.socket.next('session_resume')).session_id, 's3');
    assert.deepEqual(socket.unread, []);
  });

  it('brings none twice on one connection until half its life is over, however often windows come and go', async () => {
    await start();
    const socket = await phone.connect(relay);
    const { identity, instanceId } = bridge;
    for (let round = 0; round < 3; round += 1) {
      await bridge.socket.close();
      await socket.next('bridge_gone');
      bridge = await TestBridge.register(relay, identity, { instanceId, sessions: ['s1'] });
      let status = await socket.next('relay_status');
      while (status.bridge_online !== true) status = await socket.next('relay_status');
      assert.deepEqual(tokensOf(status), {});
    }
    await relay.pass(limits.resumeTokenMs / 2);
    open('s2');
    assert.deepEqual(Object.keys(await nextTokens(socket)), ['s1', 's2']);
  });

  it('holds at most resumableSessions, the newest, in frames within the bound', async () => {
    // The longest names that there can be: what would not fit into one frame comes in the next.
    await start({
      publicUrl: new URL(`https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}`),
    });
    const { host } = relay.config.publicUrl ?? new URL('https://none');
    const names = Array.from({ length: 300 }, (_, index) => `s${String(index).padStart(127, '0')}`);
    open(...names);
    bridge.block({ sessionId: 's1', dest: phone.deviceId });
    await bridge.socket.roundTrip();
    const socket = await phone.sendHello(relay, { origin: `wss://${host}` });
    const { tokens, frames } = await collect(socket, limits.resumableSessions);
    assert.deepEqual(Object.keys(tokens), names.slice(-limits.resumableSessions));
    assert.ok(Object.values(tokens).every(token => token.length <= limits.resumeTokenChars));
    assert.equal(frames, 2);
    assert.deepEqual(socket.unread, []);
  });

  it('goes without tokens when the phones of one bridge would cost too much, and has them again later', async () => {
    await start();
    open(...Array.from({ length: limits.resumableSessions }, () => randomBytes(16).toString('hex')));
    await bridge.socket.roundTrip();
    const full = relayLimits.resumeTokens.burst / limits.resumableSessions;
    for (let round = 0; round < full; round += 1) {
      const greedy = await phone.sendHello(relay);
      await collect(greedy, limits.resumableSessions);
    }
    const socket = await phone.sendHello(relay);
    const status = await socket.next('relay_status');
    assert.equal(status.bridge_online, true);
    assert.ok(Object.keys(tokensOf(status)).length < limits.resumableSessions / 2);
    socket.send(resumeOf('s1', 'none'));
    assert.equal((await socket.next('error')).code, 'unauthorized');
    await relay.pass(60_000);
    open('later');
    let tokens = await nextTokens(socket);
    while (!('later' in tokens)) tokens = await nextTokens(socket);
    socket.send(resumeOf('later', tokens.later));
    await bridge.socket.next('session_resume');
  });
});
