import assert from 'node:assert/strict';
import { encodeEnvelope } from '../../../core/channel/relayMessage.ts';
import type { ControlEnvelope } from '../../../core/protocol/envelope/envelopeValue.ts';
import { deviceId, sessionId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import { parseToBridge } from '../../../src/relayClient/parseToBridge.ts';

const control: ControlEnvelope = {
  type: 'control',
  sessionId: sessionId.parse('s1'),
  timeMs: 1_795_980_000_125,
  enc: new Uint8Array(40).fill(7),
  deviceId: deviceId.parse('d_1'),
};
const encodings = ['binary', 'json'] as const;

describe('what a window takes of its relay', () => {
  it('is a control in the form that the connection chose, and in no other [D7]', () => {
    for (const sent of encodings)
      for (const chosen of encodings)
        assert.deepEqual(
          parseToBridge(encodeEnvelope(control, sent), chosen),
          sent === chosen ? control : undefined,
          `${sent} on a connection in ${chosen}`,
        );
  });

  it('is every other frame as text, on either', () => {
    const gone = { type: 'client_gone', device_id: 'd_1' };
    for (const chosen of encodings) assert.deepEqual(parseToBridge(JSON.stringify(gone), chosen), gone);
  });

  it('is neither garbage, nor a block, nor what is over the bound', () => {
    const { sessionId: session, timeMs, enc } = control;
    const block = { type: 'block', sessionId: session, timeMs, enc, hint: 'text', replay: false } as const;
    const large = { ...control, enc: new Uint8Array(limits.frameBytes) };
    for (const chosen of encodings) {
      for (const envelope of [block, large])
        assert.equal(parseToBridge(encodeEnvelope(envelope, chosen), chosen), undefined);
      for (const noise of ['', '{', new Uint8Array(), new Uint8Array(300), new TextEncoder().encode('{}')])
        assert.equal(parseToBridge(noise, chosen), undefined);
    }
  });
});
