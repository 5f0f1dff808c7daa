import assert from 'node:assert/strict';
import { encodeMessage, type ToRelayMessage } from '../../../core/channel/relayMessage.ts';
import { bridgeId, instanceId, requestId, sessionId } from '../../../core/protocol/ids.ts';

const accept: ToRelayMessage = {
  type: 'session_accept',
  session_id: sessionId.parse('s1'),
  request_id: requestId.parse('r1'),
  bridge_epk: 'QUJD',
  generation: 0,
};
const request: ToRelayMessage = {
  type: 'session_request',
  instance_id: instanceId.parse('0'.repeat(32)),
  session_id: sessionId.parse('s1'),
  request_id: requestId.parse('r1'),
  ios_epk: 'QUJD',
};

const plain: readonly ToRelayMessage[] = [accept, request];

describe('what a peer says to its relay', () => {
  it('is text as its schema describes it, without fields that it does not know', () => {
    for (const encoding of ['json', 'binary'] as const)
      for (const message of plain) {
        const encoded = encodeMessage({ ...message, ...{ secret: 'x' } }, encoding);
        assert.ok(typeof encoded === 'string');
        assert.deepEqual(JSON.parse(encoded), message);
      }
  });

  it('is nothing that its schema refuses: a refusal is a value, and no exception', () => {
    const broken: readonly ToRelayMessage[] = [
      { ...accept, generation: -1 },
      { ...accept, bridge_epk: 'no base64' },
      { ...request, ios_epk: 'A'.repeat(1_000) },
      { type: 'error', code: 'busy', message: 'x'.repeat(301) },
      { type: 'client_hello', v: 1, pair_ticket: '' },
      {
        type: 'register',
        v: 1,
        bridge_id: bridgeId.parse('b_1'),
        instance_id: instanceId.parse('0'.repeat(32)),
        k_b: 'QUJD',
        sig_mode: 'mac',
        e_b: 'QUJD',
        resumable_session_ids: [],
        agents: [],
        sig: 'QUJD',
      },
    ];
    for (const message of broken) assert.equal(encodeMessage(message, 'json'), undefined, message.type);
  });
});
