import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocketServer, type WebSocket } from 'ws';
import { PhoneRelay } from '../../../phone/net/phoneRelay.ts';
import { closeCode } from '../../../core/protocol/closeCode.ts';
import { encodeBinaryEnvelope } from '../../../core/protocol/envelope/binaryEnvelope.ts';
import { frameOf, type BlockEnvelope } from '../../../core/protocol/envelope/envelopeValue.ts';
import { offeredSubprotocols, subprotocols } from '../../../core/protocol/envelope/subprotocol.ts';
import { requestId, sessionId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import { ShiftableClock } from '../../fakes/shiftableClock.ts';
import { untilChange } from '../../fakes/until.ts';

const challenge = {
  type: 'challenge',
  v: 1,
  nonce: Buffer.alloc(32, 1).toString('base64'),
  e_r: Buffer.alloc(32, 2).toString('base64'),
  server_time: 1,
};
const status = {
  type: 'relay_status',
  bridge_online: true,
  instances: ['a'.repeat(32)],
  agents: [],
  resume_tokens: {},
  server_time: 1,
};

const block: BlockEnvelope = {
  type: 'block',
  sessionId: sessionId.parse('s1'),
  timeMs: 1_795_980_000_125,
  enc: new Uint8Array(40).fill(7),
  hint: 'text',
  replay: false,
};
const control = {
  type: 'control',
  sessionId: block.sessionId,
  timeMs: block.timeMs,
  enc: block.enc,
} as const;

describe('a phone and a relay that misbehaves', () => {
  let server: WebSocketServer;
  let clock: ShiftableClock;
  let relay: PhoneRelay;
  let answered: (ws: WebSocket) => void;
  let sockets: number;
  let chosen: string;
  beforeEach(async () => {
    clock = new ShiftableClock();
    sockets = 0;
    chosen = subprotocols.json;
    answered = ws => ws.send(JSON.stringify(status));
    server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => chosen });
    await once(server, 'listening');
    server.on('connection', ws => {
      sockets += 1;
      ws.on('message', () => answered(ws));
      ws.send(JSON.stringify(challenge));
    });
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    relay = new PhoneRelay(`ws://127.0.0.1:${String(address.port)}/v1/socket`, {
      clock,
      unit: () => 0,
      hello: () => Promise.resolve({ type: 'client_hello', v: 1, pair_ticket: 't' }),
    });
  });
  afterEach(async () => {
    relay.dispose();
    for (const ws of server.clients) ws.terminate();
    server.close();
    await once(server, 'close');
  });

  function online(): Promise<unknown> {
    return untilChange('online', () => relay.state.phase === 'online', relay.onDidChange);
  }

  it('ignores garbage, unknown types, a goodbye and frames above the bound, and goes on', async () => {
    const frames: string[] = [];
    relay.onFrame(frame => frames.push(frame.type));
    answered = ws => {
      for (const noise of [
        '',
        '{',
        'null',
        '[]',
        '{"type":"mystery"}',
        '{"type":"bye","retry_after_s":5}',
        '{"type":"block"}',
        'x'.repeat(limits.frameBytes + 1),
      ])
        ws.send(noise);
      ws.send(Buffer.alloc(10));
      ws.send(encodeBinaryEnvelope(block));
      ws.send(JSON.stringify(status));
      ws.send(JSON.stringify({ type: 'error', code: 'a_code_of_the_future', message: 'm' }));
    };
    relay.start();
    await online();
    await untilChange('the last frame', () => frames.length > 0, relay.onFrame);
    assert.deepEqual(frames, ['error']);
    assert.equal(sockets, 1);
  });

  it('reads and writes envelopes as bytes where the relay chose so, and takes them in no other form [D7]', async () => {
    chosen = subprotocols.binary;
    const heard = new Promise<unknown>(resolve => relay.onFrame(resolve));
    let offered: string | undefined;
    server.on('connection', (_ws, request) => (offered = request.headers['sec-websocket-protocol']));
    const fromPhone: (readonly [Buffer, boolean])[] = [];
    answered = ws => {
      ws.removeAllListeners('message');
      const said = once(ws, 'message');
      ws.on('message', (data: Buffer, isBinary) => fromPhone.push([data, isBinary]));
      ws.send(JSON.stringify(status));
      for (const noise of [
        JSON.stringify(frameOf({ ...block, timeMs: 1 })),
        Buffer.alloc(0),
        Buffer.alloc(300, 0x7f),
        encodeBinaryEnvelope(block).subarray(0, 20),
        encodeBinaryEnvelope(control),
        Buffer.from(JSON.stringify(frameOf(block))),
        encodeBinaryEnvelope({ ...block, enc: new Uint8Array(limits.frameBytes) }),
      ])
        ws.send(noise);
      void said.then(() => ws.send(encodeBinaryEnvelope(block)));
    };
    relay.start();
    await online();
    relay.send(control);
    assert.deepEqual(await heard, block);
    assert.deepEqual(offered?.split(/, ?/), offeredSubprotocols);
    assert.deepEqual(fromPhone, [[Buffer.from(encodeBinaryEnvelope(control)), true]]);
  });

  it('waits as long as a relay that closes it asks for, five minutes at most, and not for one session’s refusal', async () => {
    const waits: unknown[] = [];
    for (const error of [
      { code: 'rate_limited', retry_after_s: 4 },
      { code: 'rate_limited', retry_after_s: 86_400 },
      { code: 'busy', retry_after_s: 4, session_id: 's1' },
    ]) {
      answered = ws => {
        ws.send(JSON.stringify(status));
        ws.send(JSON.stringify({ type: 'error', message: 'm', ...error }));
        ws.close(closeCode.rate_limited);
      };
      relay.start();
      relay.wake();
      await untilChange('closed', () => relay.state.phase === 'waiting', relay.onDidChange);
      waits.push(relay.state.phase === 'waiting' && relay.state.delayMs);
    }
    const shortest = 50;
    assert.deepEqual(waits, [4_000, 300_000, shortest]);
  });

  it('keeps resume tokens as they come, as long as their connection, and shows a bad one once [T45] [T46]', async () => {
    const one = sessionId.parse('s1');
    const two = sessionId.parse('s2');
    const request = requestId.parse('r1');
    const { permits } = relay;
    answered = ws => {
      ws.send(JSON.stringify({ ...status, resume_tokens: { s1: 'a', s2: 'b' } }));
      ws.send(JSON.stringify({ ...status, resume_tokens: { s2: 'c' } }));
      ws.send(JSON.stringify({ type: 'error', code: 'busy', message: 'm' }));
    };
    const heard = new Promise<void>(resolve => relay.onFrame(() => resolve()));
    relay.start();
    await heard;
    assert.equal(permits.use(one, request), 'a');
    assert.equal(permits.use(two, requestId.parse('r2')), 'c');
    const refusal = { type: 'error', message: 'm', session_id: one, request_id: request } as const;
    assert.equal(permits.isRefused({ ...refusal, code: 'busy' }), false, 'says nothing of the token');
    assert.equal(
      permits.isRefused({ ...refusal, code: 'unauthorized', session_id: two }),
      false,
      'of another',
    );
    assert.equal(permits.isRefused({ ...refusal, code: 'unauthorized' }), true);
    assert.equal(permits.isRefused({ ...refusal, code: 'unauthorized' }), false, 'once');
    assert.equal(permits.use(one, request), undefined);
    answered = ws => ws.send(JSON.stringify(status));
    relay.reconnect();
    relay.wake();
    await online();
    assert.equal(permits.use(two, request), undefined);
  });

  it('keeps the newest resume tokens of a relay that brings more than there may be', async () => {
    const { permits } = relay;
    const tokens = Object.fromEntries(
      Array.from({ length: limits.resumableSessions + 1 }, (_, index) => [`s${String(index)}`, 't']),
    );
    permits.add(tokens);
    const request = requestId.parse('r1');
    assert.equal(permits.use(sessionId.parse('s0'), request), undefined);
    assert.equal(permits.use(sessionId.parse('s1'), request), 't');
  });

  it('gives up on a relay that accepts and then says nothing, and tries again', async () => {
    answered = () => undefined;
    relay.start();
    while (sockets === 0) await new Promise(resolve => setImmediate(resolve));
    clock.shift(limits.helloTimeoutMs + 1);
    assert.equal(relay.state.phase, 'waiting');
    answered = ws => ws.send(JSON.stringify(status));
    relay.wake();
    await online();
    assert.equal(sockets, 2);
  });

  it('does not come back by itself once it was refused', async () => {
    answered = ws => ws.close(closeCode.unauthorized);
    relay.start();
    await untilChange('stopped', () => relay.state.phase === 'stopped', relay.onDidChange);
    clock.shift(600_000);
    relay.wake();
    assert.deepEqual(relay.state, { phase: 'stopped', reason: 'unauthorized' });
    assert.equal(sockets, 1);
  });
});
