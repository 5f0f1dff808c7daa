import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { RelayHarness } from './relayHarness.ts';
import { TestBridge } from './testBridge.ts';
import { TestPhone } from './testPhone.ts';
import { TestSocket } from './testSocket.ts';

/** The status of a bare HTTP request, whose Host a fetch would not let us choose. */
function statusFor(
  relay: RelayHarness,
  headers: Record<string, string>,
  path = '/v1/health',
): Promise<number> {
  const { hostname, port } = new URL(relay.url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers }, response => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('relay: hostile and broken peers', () => {
  let relay: RelayHarness;
  let bridge: TestBridge;
  let phone: TestPhone;
  let socket: TestSocket;
  beforeEach(async () => {
    relay = await RelayHarness.start();
    bridge = await TestBridge.register(relay, undefined, { sessions: ['s1'] });
    phone = await TestPhone.pair(relay, bridge);
    socket = await phone.connect(relay);
  });
  afterEach(() => relay.dispose());

  /** The bystanders still talk, both ways. */
  async function assertUndisturbed(): Promise<void> {
    bridge.block({ sessionId: 's1', dest: phone.deviceId });
    await socket.next('block');
    socket.send({ type: 'control', session_id: 's1', enc: 'AAAA', server_ts: 1 });
    await bridge.socket.next('control');
  }

  async function assertEnds(victim: TestSocket, code: string, close: number): Promise<void> {
    assert.equal((await victim.next('error')).code, code);
    assert.equal((await victim.ending).code, close);
    await assertUndisturbed();
  }

  const strangers: readonly (readonly [string, string | Buffer, string, number])[] = [
    ['is no JSON', '{', 'invalid_request', 4400],
    ['is a list', '[]', 'invalid_request', 4400],
    ['is binary', Buffer.from('{}'), 'invalid_request', 4400],
    ['is of an unknown type', '{"type":"hello"}', 'invalid_request', 4400],
    [
      'is a control',
      '{"type":"control","session_id":"s1","enc":"AAAA","server_ts":1}',
      'invalid_request',
      4400,
    ],
    ['is an incomplete register', '{"type":"register","v":1}', 'invalid_request', 4400],
    ['is of another version', '{"type":"register","v":2}', 'incompatible_version', 4426],
    ['has an unknown ticket', '{"type":"client_hello","v":1,"pair_ticket":"x"}', 'unauthorized', 4401],
    ['is over 8 KiB', `{"type":"register","x":"${'x'.repeat(8_192)}"}`, 'frame_too_large', 4413],
    ['is over 256 KiB', `{"type":"register","x":"${'x'.repeat(262_144)}"}`, 'frame_too_large', 4413],
  ];
  for (const [what, frame, code, close] of strangers) {
    it(`a first frame that ${what} is refused as ${code}`, async () => {
      const stranger = await TestSocket.connect(relay.url);
      stranger.ws.send(frame);
      await assertEnds(stranger, code, close);
    });
  }

  const notUtf8: readonly (readonly [string, readonly number[]])[] = [
    ['a byte that no UTF-8 has', [0xff]],
    ['half a character', [0xe6, 0x97]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['an overlong letter', [0xc1, 0xb2]],
  ];
  for (const [what, bytes] of notUtf8) {
    it(`a text frame with ${what} in a name is refused as invalid_request, from strangers and from phones`, async () => {
      const send = (victim: TestSocket, before: string, after: string): void => {
        const frame = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
        victim.ws.send(frame, { binary: false });
      };
      const stranger = await TestSocket.connect(relay.url);
      send(stranger, '{"type":"registe', '"}');
      await assertEnds(stranger, 'invalid_request', 4400);
      const second = await TestPhone.pair(relay, bridge);
      const victim = await second.connect(relay);
      send(victim, '{"type":"control","session_id":"s', '1","enc":"AAAA","server_ts":1}');
      await assertEnds(victim, 'invalid_request', 4400);
    });
  }

  const fromPhones: readonly (readonly [string, string, string, number])[] = [
    ['is no JSON', 'x', 'invalid_request', 4400],
    ['lacks a field', '{"type":"control","session_id":"s1"}', 'invalid_request', 4400],
    [
      'smuggles quotes into an id',
      '{"type":"control","session_id":"s\\"1","enc":"AAAA","server_ts":1}',
      'invalid_request',
      4400,
    ],
    ['is over 256 KiB', `{"type":"control","enc":"${'A'.repeat(262_144)}"}`, 'frame_too_large', 4413],
  ];
  for (const [what, frame, code, close] of fromPhones) {
    it(`a phone's frame that ${what} is refused as ${code}`, async () => {
      const second = await TestPhone.pair(relay, bridge);
      const victim = await second.connect(relay);
      victim.send(frame);
      await assertEnds(victim, code, close);
    });
  }

  it('frames of unknown types are ignored, and a frame just under the bound passes [T54]', async () => {
    socket.send({ type: 'later_version' });
    bridge.socket.send({ type: 'later_version', request_id: 'r1', session_id: 's1' });
    const enc = 'A'.repeat(262_144 - 200);
    socket.send({ type: 'control', session_id: 's1', enc, server_ts: 1 });
    assert.equal((await bridge.socket.next('control')).enc, enc);
    await assertUndisturbed();
  });

  it('a hint for a push is ignored: nobody is woken yet', async () => {
    const hint = { session_id: 's1', class: 'approval', body: 'QUJD', collapse_id: 'c' };
    bridge.socket.send({ type: 'push_hint', ...hint });
    await assertUndisturbed();
  });

  it('a phone’s request of an unknown type is answered unsupported_operation, under its own id', async () => {
    socket.send({ type: 'later_version', request_id: 'r1', session_id: 's1' });
    const answer = await socket.next('error');
    assert.deepEqual([answer.code, answer.request_id], ['unsupported_operation', 'r1']);
    assert.equal(answer.session_id, undefined, 'it says nothing of the session');
    socket.send({ type: 'later_version', request_id: 'no id' });
    await assertUndisturbed();
  });

  it('a phone that floods is closed as rate_limited, and told when to come back', async () => {
    const second = await TestPhone.pair(relay, bridge);
    const flood = await second.connect(relay);
    for (let count = 0; count < 300; count++) flood.send({ type: 'later_version' });
    const { code, retry_after_s } = await flood.next('error');
    assert.deepEqual([code, retry_after_s], ['rate_limited', 4]);
    assert.equal((await flood.ending).code, 4429);
    await assertUndisturbed();
  });

  it('a bridge that replays much at once is read more slowly, and loses nothing [T49]', async () => {
    for (let count = 0; count < 600; count++)
      bridge.block({ sessionId: 's1', dest: phone.deviceId, enc: randomBytes(32) });
    for (let count = 0; count < 600; count++) await socket.next('block');
    await assertUndisturbed();
  });

  it('a phone that does not read is closed alone', async () => {
    const second = await TestPhone.pair(relay, bridge);
    const slow = await second.connect(relay);
    slow.fallSilent();
    // More than the kernel takes for a socket that is not read; the rest waits in the relay until its bound.
    const enc = randomBytes(150_000);
    for (let count = 0; count < 200 && bridge.socket.unread.length === 0; count++) {
      bridge.block({ sessionId: 's1', dest: second.deviceId, enc });
      await bridge.socket.roundTrip();
    }
    assert.equal((await bridge.socket.next('client_gone')).device_id, second.deviceId);
    assert.match(
      relay.logLines.join(''),
      /"event":"left","conn":"c\d+","was":"phone","reason":"slow_consumer"/,
    );
    await assertUndisturbed();
  });

  it('a peer that says nothing is closed after 10 s, one that is dead after 90 s', async () => {
    const silent = await TestSocket.connect(relay.url);
    await relay.pass(10_000);
    assert.equal((await silent.ending).code, 4408);
    await assertUndisturbed();
    // A socket whose other end is gone without a word: it never answers the ping.
    const second = await TestPhone.pair(relay, bridge);
    const dead = await second.connect(relay);
    dead.fallSilent();
    const gone = bridge.socket.next('client_gone');
    await Promise.all([bridge.socket.roundTrip(), socket.roundTrip()]);
    relay.clock.push(89_000);
    await Promise.all([bridge.socket.roundTrip(), socket.roundTrip()]);
    relay.clock.push(2_000);
    assert.equal((await gone).device_id, second.deviceId);
    await assertUndisturbed();
  });

  it('one address may have eight sockets that have not said who they are', async () => {
    const waiting = await Promise.all(Array.from({ length: 8 }, () => TestSocket.connect(relay.url)));
    await assert.rejects(TestSocket.connect(relay.url), /429/);
    await assertUndisturbed();
    await waiting[0]?.close();
    await TestSocket.connect(relay.url);
  });

  it('a socket must offer the subprotocol and the path', async () => {
    const url = relay.url.replace('http', 'ws');
    for (const [path, protocols, status] of [
      ['/v1/socket', [], '400'],
      ['/v1/socket', ['other'], '400'],
      ['/v1/other', ['terminull.json.v1'], '404'],
    ] as const) {
      const ws = new WebSocket(url + path, [...protocols]);
      const error: unknown = (await once(ws, 'error')).at(0);
      assert.match(String(error), new RegExp(status));
    }
    await assertUndisturbed();
  });

  it('a name that is not ours is refused, on HTTP and on the socket [F69]', async () => {
    const port = new URL(relay.url).port;
    assert.equal(await statusFor(relay, { host: 'evil.example' }), 421);
    assert.equal(await statusFor(relay, { host: `evil.example:${port}` }), 421);
    assert.equal(await statusFor(relay, { host: '127.0.0.1:1' }), 421);
    assert.equal(await statusFor(relay, { host: `localhost:${port}` }), 200);
    await assert.rejects(TestSocket.connect(relay.url, { headers: { host: 'evil.example' } }), /421/);
  });

  it('a foreign page gets neither answers nor CORS headers', async () => {
    assert.equal(await statusFor(relay, { origin: 'https://evil.example' }), 403);
    assert.equal(await statusFor(relay, { origin: relay.url }), 200);
    const answer = await relay.call('GET', '/v1/health');
    for (const name of answer.headers.keys()) assert.doesNotMatch(name, /^access-control/);
  });

  it('a body that is too large, of unknown length or no JSON is refused', async () => {
    const claimed = await relay.call('POST', '/v1/pair/claim', { body: { pair_id: 'x'.repeat(20_000) } });
    assert.equal(claimed.status, 413);
    const raw = connect(Number(new URL(relay.url).port), '127.0.0.1');
    raw.write(
      `POST /v1/pair/claim HTTP/1.1\r\nHost: ${relay.host}\r\nContent-Type: application/json\r\n` +
        'Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    );
    const head: unknown = (await once(raw, 'data')).at(0);
    assert.match(String(head), /^HTTP\/1\.1 411/);
    const headers = { 'content-type': 'text/plain' };
    const plain = await fetch(`${relay.url}/v1/pair/claim`, { method: 'POST', headers, body: '{}' });
    assert.equal(plain.status, 400);
  });

  it('cannot name another session by a public name: PUBLIC_URL is what proxied peers sign', async () => {
    const proxied = await RelayHarness.start({ publicUrl: new URL('https://relay.example') });
    const host = { host: 'relay.example' };
    assert.equal(await statusFor(proxied, host), 200);
    const register = await TestBridge.send(proxied, bridge.identity, { origin: 'wss://relay.example' });
    await register.socket.next('registered');
    const local = await TestBridge.register(proxied);
    assert.ok(local.token !== '');
    const wrong = await TestBridge.send(proxied, bridge.identity, { origin: 'ws://relay.example' });
    assert.equal((await wrong.socket.ending).code, 4401);
    await proxied.dispose();
  });
});
