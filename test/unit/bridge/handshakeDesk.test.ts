import assert from 'node:assert/strict';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import { limits } from '../../../core/protocol/limits.ts';
import { deviceId } from '../../../core/protocol/ids.ts';
import { Desk } from '../../fakes/desk.ts';

describe('handshakes at the bridge', () => {
  let desk: Desk;
  beforeEach(async () => {
    desk = await Desk.create();
  });
  afterEach(() => desk.dispose());

  it('gives one refusal for an unknown phone, a wrong psk and a malformed message, and names the request', async () => {
    const unknown = await desk.begin('s1', { key: await nodeCrypto.generateDhKey() });
    const wrong = await desk.begin('s1', { psk: nodeCrypto.randomBytes(32) });
    const broken = { ...wrong.request, ios_epk: 'AAAA' };
    for (const request of [unknown.request, wrong.request, broken]) {
      await desk.desk.onRequest(request);
      const refusal = desk.last('error');
      assert.deepEqual(
        [refusal?.code, refusal?.message, refusal?.request_id],
        ['unauthorized', 'refused', request.request_id],
      );
    }
    assert.equal(desk.last('session_accept'), undefined);
  });

  it('counts a channel only once its first frame has opened, and lets it displace the phone’s older one then', async () => {
    const first = await desk.connect('s1');
    await desk.say(first, 'one');
    const second = await desk.connect('s1');
    assert.equal(desk.desk.live.length, 1);
    await desk.say(first, 'still the first');
    await desk.say(second, 'now the second');
    await desk.say(first, 'too late');
    assert.deepEqual(
      desk.controls.map(({ text, isFirst }) => [text, isFirst]),
      [
        ['one', true],
        ['still the first', false],
        ['now the second', true],
      ],
    );
    assert.equal(desk.desk.live.length, 1);
  });

  it('is not moved by a replayed message 1: no frame of its sender can verify', async () => {
    const { request } = await desk.begin('s1');
    await desk.desk.onRequest(request);
    const live = await desk.connect('s1');
    await desk.say(live, 'hello');
    await desk.desk.onRequest(request);
    await desk.say(live, 'unmoved');
    assert.equal(desk.controls.at(-1)?.text, 'unmoved');
    desk.clock.shift(limits.halfOpenMs + 1);
    await desk.say(live, 'and after');
    assert.equal(desk.controls.at(-1)?.text, 'and after');
  });

  it('holds at most sixteen half-open handshakes, and forgets them after ten seconds', async () => {
    for (let n = 0; n < limits.halfOpenHandshakes; n += 1) await desk.connect(`s${String(n)}`);
    const more = await desk.begin('one-more');
    await desk.desk.onRequest(more.request);
    assert.equal(desk.last('error')?.request_id, more.request.request_id);
    desk.clock.shift(limits.halfOpenMs + 1);
    await desk.connect('fits-again');
  });

  it('closes a channel with resync on a replayed, reordered or altered frame, and delivers nothing of it', async () => {
    for (const attack of ['replay', 'reorder', 'alter'] as const) {
      const channel = await desk.connect(`s-${attack}`);
      await desk.say(channel, 'fine');
      const count = desk.controls.length;
      const one = await desk.seal(channel, 'one');
      const two = await desk.seal(channel, 'two');
      if (attack === 'replay') await desk.desk.onControl(one);
      const bad =
        attack === 'reorder'
          ? two
          : { ...one, ...(attack === 'alter' ? { timeMs: one.timeMs + 1_000 } : {}) };
      await desk.desk.onControl(bad);
      assert.equal(desk.last('error')?.code, 'resync', attack);
      assert.equal(desk.controls.length, count + (attack === 'replay' ? 1 : 0), attack);
    }
    assert.equal(desk.desk.live.length, 0);
  });

  it('asks the list again before every control: a phone revoked a moment ago changes nothing', async () => {
    const channel = await desk.connect('s1');
    await desk.say(channel, 'hello');
    await desk.devices.remove(desk.device);
    await desk.say(channel, 'rm -rf /');
    assert.equal(desk.controls.length, 1);
    assert.equal(desk.desk.live.length, 0);
    const { request } = await desk.begin('s1');
    await desk.desk.onRequest(request);
    assert.equal(desk.last('error')?.code, 'unauthorized');
  });

  it('ignores frames of no channel, with no channel id, and of another phone’s session', async () => {
    const channel = await desk.connect('s1');
    await desk.say(channel, 'hello');
    const frame = await desk.seal(channel, 'x');
    const before = desk.sent.length;
    await desk.desk.onControl({ ...frame, enc: new Uint8Array(3) });
    await desk.desk.onControl({ ...frame, enc: new Uint8Array() });
    const { session_id: sessionId } = (await desk.begin('s2')).request;
    await desk.desk.onControl({ ...frame, sessionId });
    assert.equal(desk.sent.length, before);
    await desk.desk.onControl(frame);
    assert.equal(desk.controls.at(-1)?.text, 'x');
  });

  it('ends every channel of a phone that has gone, and no other', async () => {
    const channel = await desk.connect('s1');
    await desk.say(channel, 'hello');
    desk.desk.closeDevice(deviceId.parse('d_2'));
    assert.equal(desk.desk.live.length, 1);
    desk.desk.closeDevice(desk.device);
    assert.equal(desk.desk.live.length, 0);
  });
});
