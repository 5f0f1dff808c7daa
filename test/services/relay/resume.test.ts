import assert from 'node:assert/strict';
import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { limits } from '../../../core/protocol/limits.ts';
import { RelayHarness } from './relayHarness.ts';
import { EPK, forge, nextTokens, partOf, resumeOf } from './resumeToken.ts';
import { newIdentity, TestBridge } from './testBridge.ts';
import { claim, openPairing, startPairing, TestPhone } from './testPhone.ts';
import type { TestSocket } from './testSocket.ts';

/** A name that survives a restart on another port. */
const publicUrl = new URL('https://relay.example');
const origin = 'wss://relay.example';

function tokenOf(tokens: Readonly<Record<string, string>>, session: string): string {
  const token = tokens[session];
  assert.ok(token !== undefined, `a token for ${session}`);
  return token;
}

describe('relay: resume tokens', () => {
  let relay: RelayHarness;
  let bridge: TestBridge;
  let phone: TestPhone;
  let socket: TestSocket;
  let token: string;
  beforeEach(async () => {
    relay = await RelayHarness.start({ publicUrl });
    bridge = await TestBridge.register(relay, newIdentity(), { sessions: ['s1', 's2'] });
    phone = await TestPhone.pair(relay, bridge);
    socket = await phone.sendHello(relay, { origin });
    token = tokenOf(await nextTokens(socket), 's1');
  });
  afterEach(() => relay.dispose());

  async function assertForwarded(from: TestSocket, session: string, shown: string): Promise<void> {
    const sent = resumeOf(session, shown);
    from.send(sent);
    const asked = await bridge.socket.next('session_resume');
    assert.deepEqual(asked, {
      ...{ type: 'session_resume', session_id: session, request_id: sent.request_id },
      ...{ since_ts: 12.5, ios_epk: EPK, device_id: phone.deviceId },
    });
  }

  /** Refused by name and by request, and nothing else happens: the bridge hears the next good one first. */
  async function assertRefused(
    from: TestSocket,
    session: string,
    shown: unknown,
    what: string,
  ): Promise<void> {
    const sent = resumeOf(session, shown);
    from.send(sent);
    const error = await from.next('error');
    const said = [error.code, error.session_id, error.request_id];
    assert.deepEqual(said, ['unauthorized', session, sent.request_id], what);
    await bridge.socket.roundTrip();
    assert.equal(bridge.socket.unread.includes('session_resume'), false, what);
  }

  /** The bridge comes back after a halt, and the phone says hello again. */
  async function comeBack(): Promise<TestSocket> {
    const { identity, instanceId } = bridge;
    bridge = await TestBridge.register(relay, identity, { instanceId, sessions: ['s1', 's2'] });
    const answer = await phone.refreshWith(relay, phone.refresh);
    assert.equal(answer.status, 200);
    phone.take(answer);
    return phone.sendHello(relay, { origin });
  }

  it('come with the first status, one for each session, bound to the phone’s key for a day [T13] [T45] [T46] [C15]', async () => {
    const again = await phone.sendHello(relay, { origin });
    const tokens = await nextTokens(again);
    assert.deepEqual(Object.keys(tokens), ['s1', 's2']);
    assert.deepEqual(partOf(tokenOf(tokens, 's2'), 0), { alg: 'HS256', typ: 'resume+jwt' });
    const { exp, ...claims } = partOf(tokenOf(tokens, 's2'), 1);
    const x = phone.publicKey.subarray(1, 33).toString('base64url');
    const y = phone.publicKey.subarray(33).toString('base64url');
    const jwk = `{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`;
    assert.deepEqual(claims, {
      iss: 'terminull-relay',
      aud: origin,
      bridge_id: bridge.bridgeId,
      session_id: 's2',
      device_id: phone.deviceId,
      cnf: { jkt: createHash('sha256').update(jwk).digest('base64url') },
    });
    const left = Number(exp) * 1000 - relay.clock.now();
    assert.ok(left <= limits.resumeTokenMs && left > limits.resumeTokenMs - 60_000, String(left));
  });

  it('let a phone ask for its session again; the window hears the request without the token [T9] [T47] [T48]', async () => {
    await assertForwarded(socket, 's1', token);
    const again = await phone.sendHello(relay, { origin });
    await nextTokens(again);
    await assertForwarded(again, 's1', token);
  });

  it('are refused when altered, and the connection and every other session go on [T48]', async () => {
    const claims = partOf(token, 1);
    const header = partOf(token, 0);
    const hmac = (key: Buffer) => (signed: string) => createHmac('sha256', key).update(signed).digest();
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const [first = '', middle = '', last = ''] = token.split('.');
    const forgeries: readonly (readonly [string, unknown])[] = [
      ['no token', undefined],
      ['an empty one', ''],
      ['no string', 7],
      ['one beyond every bound', 'x'.repeat(100_000)],
      ['garbage', 'a.b.c'],
      ['no signature', `${first}.${middle}.`],
      ['another signature', `${first}.${middle}.${randomBytes(32).toString('base64url')}`],
      ['alg none', forge({ ...header, alg: 'none' }, claims, () => Buffer.alloc(0))],
      ['alg none, signed', `${forge({ alg: 'none' }, claims, () => Buffer.alloc(0))}${last}`],
      ['HS256 by another key', forge(header, claims, hmac(randomBytes(32)))],
      ['HS256 by an empty key', forge(header, claims, hmac(Buffer.alloc(0)))],
      [
        'RS256, with its key inside',
        forge({ ...header, alg: 'RS256', jwk: rsa.publicKey.export({ format: 'jwk' }) }, claims, signed =>
          sign('sha256', Buffer.from(signed), rsa.privateKey),
        ),
      ],
      [
        'a longer life',
        forge(header, { ...claims, exp: Number(claims.exp) + 1 }, () => Buffer.from(last, 'base64url')),
      ],
    ];
    for (const [what, forged] of forgeries) await assertRefused(socket, 's1', forged, what);
    await assertForwarded(socket, 's1', token);
    socket.send({ type: 'control', session_id: 's2', enc: 'AAAA', server_ts: 1 });
    await bridge.socket.next('control');
  });

  it('are refused for another session, device and bridge, and under another name of the relay [T48]', async () => {
    await assertRefused(socket, 's2', token, 'another session');
    await assertRefused(socket, `ctl:${bridge.instanceId}`, token, 'the window itself');

    const other = await TestPhone.pair(relay, bridge);
    const theirs = await other.sendHello(relay, { origin });
    await nextTokens(theirs);
    await assertRefused(theirs, 's1', token, 'another device');

    const byPort = await phone.sendHello(relay);
    await nextTokens(byPort);
    await assertRefused(byPort, 's1', token, 'another audience');

    const stranger = await TestBridge.register(relay, newIdentity(), { sessions: ['s1', 'x1'] });
    const guest = await TestPhone.pair(relay, stranger);
    const guestSocket = await guest.sendHello(relay, { origin });
    const foreign = await nextTokens(guestSocket);
    assert.deepEqual(Object.keys(foreign), ['s1', 'x1'], 'of its own bridge only');
    await assertRefused(guestSocket, 's1', token, 'another bridge');
    assert.deepEqual(stranger.socket.unread, []);
    await assertRefused(byPort, 's1', foreign.s1, 'from another bridge');
  });

  it('are refused after 24 hours, and count until then [T45]', async () => {
    relay.clock.push(limits.resumeTokenMs - 60_000);
    const late = await comeBack();
    const fresh = tokenOf(await nextTokens(late), 's1');
    await assertForwarded(late, 's1', token);
    relay.clock.push(61_000);
    await assertRefused(late, 's1', token, 'expired');
    await assertForwarded(late, 's1', fresh);
  });

  it('outlive the relay that issued them, by a secret that only its owner can read [T45]', async () => {
    await relay.halt();
    await relay.run();
    const again = await comeBack();
    await nextTokens(again);
    await assertForwarded(again, 's1', token);
  });

  it('are refused even with the relay’s own signature when they are of another kind [T48]', async () => {
    const claims = partOf(token, 1);
    const header = partOf(token, 0);
    await relay.halt();
    const database = new DatabaseSync(join(relay.config.dataDir, 'relay.db'), { readOnly: true });
    const rows = database.prepare('SELECT name, value FROM secrets').all();
    database.close();
    assert.equal(rows.length, 1);
    const secret = rows[0]?.value;
    assert.ok(secret instanceof Uint8Array && secret.length === 32);
    await relay.run();
    const again = await comeBack();
    await nextTokens(again);
    const signWith = (hash: string) => (signed: string) => createHmac(hash, secret).update(signed).digest();
    const own = signWith('sha256');
    const wrong: readonly (readonly [string, string])[] = [
      ['another type', forge({ ...header, typ: 'access+jwt' }, claims, own)],
      ['no type', forge({ alg: 'HS256' }, claims, own)],
      ['another algorithm', forge({ ...header, alg: 'HS512' }, claims, signWith('sha512'))],
      ['an unknown extension', forge({ ...header, crit: ['x'], x: 1 }, claims, own)],
      ['another issuer', forge(header, { ...claims, iss: 'relay' }, own)],
      ['another audience', forge(header, { ...claims, aud: 'wss://other.example' }, own)],
      ['another bridge', forge(header, { ...claims, bridge_id: 'b_other' }, own)],
      ['another device', forge(header, { ...claims, device_id: 'dev_other' }, own)],
      ['another session', forge(header, { ...claims, session_id: 's2' }, own)],
      ['no end', forge(header, { ...claims, exp: undefined }, own)],
      ['not yet', forge(header, { ...claims, nbf: Number(claims.exp) }, own)],
      ['no key', forge(header, { ...claims, cnf: undefined }, own)],
      ['another key', forge(header, { ...claims, cnf: { jkt: 'x'.repeat(43) } }, own)],
    ];
    for (const [what, forged] of wrong) await assertRefused(again, 's1', forged, what);
    await assertForwarded(again, 's1', forge(header, claims, own));
  });

  it('of a revoked phone are dead, whoever shows them [T48]', async () => {
    const deleted = await relay.call('DELETE', `/v1/devices/${phone.deviceId}`, { token: bridge.token });
    assert.equal(deleted.status, 204);
    socket.send(resumeOf('s1', token));
    assert.equal((await socket.ending).code, 4403);
    assert.equal((await (await phone.sendHello(relay, { origin })).ending).code, 4403);
    await bridge.socket.next('client_gone');
    const other = await TestPhone.pair(relay, bridge);
    const theirs = await other.sendHello(relay, { origin });
    await nextTokens(theirs);
    await assertRefused(theirs, 's1', token, 'of the revoked one');
  });

  it('open no session that its window has closed, and are not asked for while no window is there', async () => {
    bridge.socket.send({ type: 'session_closed', session_id: 's1', instance_id: bridge.instanceId });
    bridge.block({ sessionId: 's2', dest: phone.deviceId });
    await socket.next('block');
    socket.send(resumeOf('s1', token));
    assert.equal((await socket.next('error')).code, 'stale_session');
    await bridge.socket.close();
    await socket.next('bridge_gone');
    socket.send(resumeOf('s1', token));
    assert.equal((await socket.next('error')).code, 'owner_unavailable');
  });

  it('are not for a phone that pairs, and not written to the log [T6]', async () => {
    const pairing = await openPairing(relay, await claim(relay, await startPairing(relay, bridge)));
    assert.deepEqual(await nextTokens(pairing), {});
    await assertRefused(socket, 's2', token, 'another session');
    await assertForwarded(socket, 's1', token);
    const log = relay.logLines.join('');
    assert.ok(log.includes(phone.deviceId));
    for (const part of token.split('.').slice(1)) assert.equal(log.includes(part), false);
  });
});
