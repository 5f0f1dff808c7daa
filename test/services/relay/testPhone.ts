import assert from 'node:assert/strict';
import { createECDH, createPrivateKey, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { ClientOptions } from 'ws';
import type { Encoding } from '../../../core/protocol/envelope/subprotocol.ts';
import { helloSignedBytes } from '../../../core/crypto/verify.ts';
import { pairClaimResponse, pairStartResponse, tokenPair } from '../../../core/protocol/httpApi.ts';
import { deviceId } from '../../../core/protocol/ids.ts';
import { refreshSignedBytes } from '../../../core/crypto/verify.ts';
import type { Answer, ReachedRelay } from './relayHarness.ts';
import { base64, type TestBridge } from './testBridge.ts';
import { TestSocket } from './testSocket.ts';

/** A phone's device key and tokens. */
export class TestPhone {
  readonly deviceId = `dev_${randomBytes(8).toString('hex')}`;
  /** 65 bytes, uncompressed. */
  readonly publicKey: Buffer;
  readonly #key: KeyObject;
  access = '';
  refresh = '';

  constructor() {
    const ecdh = createECDH('prime256v1');
    this.publicKey = ecdh.generateKeys();
    const coordinate = (at: number): string => this.publicKey.subarray(at, at + 32).toString('base64url');
    const d = ecdh.getPrivateKey('base64url');
    this.#key = createPrivateKey({
      key: { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33), d },
      format: 'jwk',
    });
  }

  /** Pairs through the HTTP API; the pairing socket is closed again. */
  static async pair(relay: ReachedRelay, bridge: TestBridge): Promise<TestPhone> {
    const phone = new TestPhone();
    const pairId = await startPairing(relay, bridge);
    const socket = await openPairing(relay, await claim(relay, pairId));
    await socket.next('relay_status');
    const confirmed = await phone.confirm(relay, bridge, pairId);
    assert.equal(confirmed.status, 200);
    phone.take(confirmed);
    await socket.close();
    return phone;
  }

  confirm(relay: ReachedRelay, bridge: TestBridge, pairId: string): Promise<Answer> {
    const body = {
      pair_id: pairId,
      device_id: this.deviceId,
      K_d: base64(this.publicKey),
      role: 'owner',
    };
    return relay.call('POST', '/v1/pair/confirm', { token: bridge.token, body });
  }

  /** Keeps the tokens of an answer. */
  take(answer: Answer): void {
    const pair = tokenPair.parse(answer.body);
    this.access = pair.access_token;
    this.refresh = pair.refresh_token;
  }

  sign(bytes: Uint8Array): Buffer {
    return sign('sha256', bytes, { key: this.#key, dsaEncoding: 'ieee-p1363' });
  }

  /** Connects and sends `client_hello`, without waiting for the answer. */
  async sendHello(
    relay: ReachedRelay,
    options: {
      access?: string;
      origin?: string;
      signer?: TestPhone;
      client?: ClientOptions;
      encoding?: Encoding;
    } = {},
  ): Promise<TestSocket> {
    const socket = await TestSocket.connect(relay.url, options.client, options.encoding);
    const nonce = Buffer.from(socket.challenge.nonce, 'base64');
    const relayOrigin = options.origin ?? relay.origin;
    const signed = helloSignedBytes({ relayOrigin, nonce }, this.deviceId);
    socket.send({
      type: 'client_hello',
      v: 1,
      device_id: this.deviceId,
      access_token: options.access ?? this.access,
      proof: base64((options.signer ?? this).sign(signed)),
    });
    return socket;
  }

  async connect(relay: ReachedRelay, encoding: Encoding = 'json'): Promise<TestSocket> {
    const socket = await this.sendHello(relay, { encoding });
    await socket.next('relay_status');
    return socket;
  }

  refreshWith(relay: ReachedRelay, token: string, signer: TestPhone = this): Promise<Answer> {
    const signed = refreshSignedBytes(relay.origin, deviceId.parse(this.deviceId), token);
    const body = {
      device_id: this.deviceId,
      refresh_token: token,
      proof: base64(signer.sign(signed)),
    };
    return relay.call('POST', '/v1/token/refresh', { body });
  }
}

export async function startPairing(relay: ReachedRelay, bridge: TestBridge): Promise<string> {
  const body = { bridge_id: bridge.bridgeId, instance_id: bridge.instanceId };
  const answer = await relay.call('POST', '/v1/pair/start', { token: bridge.token, body });
  assert.equal(answer.status, 200);
  return pairStartResponse.parse(answer.body).pair_id;
}

/** @returns the ticket */
export async function claim(relay: ReachedRelay, pairId: string): Promise<string> {
  const answer = await relay.call('POST', '/v1/pair/claim', { body: { pair_id: pairId } });
  assert.equal(answer.status, 200);
  return pairClaimResponse.parse(answer.body).pair_ticket;
}

export async function openPairing(
  relay: ReachedRelay,
  ticket: string,
  encoding: Encoding = 'json',
): Promise<TestSocket> {
  const socket = await TestSocket.connect(relay.url, {}, encoding);
  socket.send({ type: 'client_hello', v: 1, pair_ticket: ticket });
  return socket;
}
