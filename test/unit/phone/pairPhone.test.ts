import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { base64 } from '@scure/base';
import { WebSocketServer, type WebSocket } from 'ws';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { openText, sealBlock } from '../../../core/channel/channelFrame.ts';
import { respond } from '../../../core/crypto/handshake.ts';
import type { PairingInvitation } from '../../../core/crypto/pairingFragment.ts';
import { SecureChannel } from '../../../core/crypto/secureChannel.ts';
import type { DhKey } from '../../../core/crypto/cryptoPort.ts';
import { bridgeId, instanceId, pairId } from '../../../core/protocol/ids.ts';
import { envelopeOf, frameOf } from '../../../core/protocol/envelope/envelopeValue.ts';
import { fromApp, type ControlFrame } from '../../../core/protocol/relayFrame.ts';
import { pairPhone } from '../../../phone/net/pairPhone.ts';
import { createDeviceKeys } from '../../../phone/storage/deviceKeys.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import { ShiftableClock } from '../../fakes/shiftableClock.ts';

const challenge = {
  type: 'challenge',
  v: 1,
  nonce: base64.encode(new Uint8Array(32)),
  e_r: base64.encode(new Uint8Array(32)),
  server_time: 1,
};
const status = {
  type: 'relay_status',
  bridge_online: true,
  instances: [],
  agents: [],
  resume_tokens: {},
  server_time: 1,
};

describe('a phone that pairs', () => {
  let server: Server;
  let bridgeKey: DhKey;
  let invitation: PairingInvitation;
  /** K_b as the machine says it at the end. */
  let told: Uint8Array;
  const clock = new ShiftableClock();
  const pinned = new Uint8Array(32).fill(7);
  beforeEach(async () => {
    bridgeKey = await nodeCrypto.generateDhKey();
    told = pinned;
    server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ pair_ticket: 'ticket' }));
    });
    const sockets = new WebSocketServer({ server, handleProtocols: () => 'terminull.json.v1' });
    sockets.on('connection', ws => serve(ws));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    invitation = {
      relay: `ws://127.0.0.1:${String(address.port)}/v1/socket`,
      bridgeId: bridgeId.parse('b_x'),
      instanceId: instanceId.parse('a'.repeat(32)),
      pairId: pairId.parse('pair_0123456789abcdef'),
      bridgePublicKey: bridgeKey.publicKey,
      bridgeIdentityHash: nodeCrypto.sha256(pinned),
      secret: new Uint8Array(32).fill(9),
    };
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** The machine's side of one pairing, which knows the secret of the code. */
  function serve(ws: WebSocket): void {
    let channel: SecureChannel | undefined;
    ws.send(JSON.stringify(challenge));
    ws.on('message', (data: Buffer) => {
      const frame = fromApp.safeParse(jsonValue(data.toString('utf8')));
      if (!frame.success) ws.send(JSON.stringify(status));
      else if (frame.data.type === 'session_request') void accept(frame.data);
      else if (frame.data.type === 'control') void finish(frame.data);
    });
    const accept = async (frame: {
      session_id: string;
      request_id: string;
      ios_epk: string;
    }): Promise<void> => {
      const answered = await respond(nodeCrypto, {
        kind: 'pair',
        bridgeId: invitation.bridgeId,
        instanceId: invitation.instanceId,
        sessionId: frame.session_id,
        bridgeKey,
        message1: base64.decode(frame.ios_epk),
        pskFor: () => invitation.secret,
        isChannelTaken: () => false,
      });
      assert.ok(answered.ok);
      const parts = {
        crypto: nodeCrypto,
        clock,
        side: 'bridge',
        sessionId: frame.session_id,
        deviceId: '',
      } as const;
      channel = await SecureChannel.create({ ...parts, secrets: answered.value.secrets });
      const bridge_epk = base64.encode(answered.value.message2);
      const { session_id, request_id } = frame;
      ws.send(JSON.stringify({ type: 'session_accept', session_id, request_id, bridge_epk, generation: 0 }));
    };
    const finish = async (frame: ControlFrame): Promise<void> => {
      const control = envelopeOf(frame);
      assert.ok(channel && control && (await openText(channel, control)).ok);
      const done = {
        type: 'pair_done',
        K_b: base64.encode(told),
        device_id: 'd_1',
        role: 'owner',
        machine: 'm',
        access_token: 'a',
        refresh_token: 'r',
      };
      const timeMs = clock.now();
      const sealed = await sealBlock(channel, {
        json: JSON.stringify(done),
        hint: 'control',
        replay: false,
        timeMs,
      });
      assert.ok(sealed.ok);
      ws.send(JSON.stringify(frameOf(sealed.value)));
    };
  }

  async function pair(): Promise<string> {
    const paired = await pairPhone(invitation, {
      platform: globalThis.crypto,
      crypto: nodeCrypto,
      clock,
      keys: await createDeviceKeys(globalThis.crypto, undefined),
      phoneName: 'Phone',
      showCode: () => undefined,
      signal: new AbortController().signal,
    });
    return paired.ok ? 'paired' : paired.code;
  }

  it('takes the machine whose identity the code pinned', async () => {
    assert.equal(await pair(), 'paired');
  });

  it('refuses a machine that ends with another identity than the code pinned', async () => {
    told = new Uint8Array(32).fill(8);
    assert.equal(await pair(), 'identity');
  });
});
