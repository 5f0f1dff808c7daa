import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { instanceId } from '../../../core/protocol/ids.ts';
import { encodeFrame, type PlainFrame } from '../../../relay/routing/encodeFrame.ts';
import { Peer } from '../../../relay/ws/peer.ts';
import { PeerSocket } from '../../../relay/ws/peerSocket.ts';
import { WriteBatch } from '../../../relay/ws/writeBatch.ts';
import { nodeLink } from '../../../platform/node/nodeLink.ts';

const gone: PlainFrame = { type: 'bridge_gone', instance_id: instanceId.parse('0'.repeat(32)) };
const broken: PlainFrame = { type: 'error', code: 'busy', message: 'x'.repeat(301) };

describe('relay: frames of its own', () => {
  it('are text as their schema describes it, and nothing where it refuses', () => {
    assert.equal(encodeFrame({ ...gone, ...{ secret: 'x' } }), JSON.stringify(gone));
    assert.equal(encodeFrame(broken), undefined);
    assert.equal(
      encodeFrame({
        type: 'registered',
        conn_id: 'c1',
        access_token: 'x'.repeat(300),
        limits: { frame: 1, in_flight: 1, queue: 1 },
      }),
      undefined,
    );
  });

  it('are named in the log where they are refused, and the peer stays', () => {
    const sent: unknown[] = [];
    const invalid: string[] = [];
    const socket = new PeerSocket('ws://127.0.0.1:1');
    // Nobody listens there: what it would send is kept here.
    socket.on('error', () => undefined);
    socket.send = (data: unknown) => void sent.push(data);
    const stranger = {
      greeting: { nonce: new Uint8Array(32), key: nodeLink.generateX25519() },
      now: 0,
      endsAt: 1,
    };
    const peer = new Peer(
      'c1',
      { address: '127.0.0.1', host: undefined },
      socket,
      new PassThrough(),
      {
        batch: new WriteBatch(),
        received: () => undefined,
        heard: () => undefined,
        known: () => undefined,
        left: () => assert.fail('it stays'),
        invalid: ({ connId }, type) => void invalid.push(`${connId} ${type}`),
        closed: () => undefined,
      },
      stranger,
    );
    peer.tell(broken);
    peer.tell(gone);
    socket.terminate();
    assert.deepEqual(invalid, ['c1 error']);
    assert.deepEqual(sent, [JSON.stringify(gone)]);
  });
});
