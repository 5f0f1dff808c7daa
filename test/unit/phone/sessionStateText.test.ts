import assert from 'node:assert/strict';
import { sessionStateText } from '../../../phone/views/session/sessionStateText.ts';

describe('the state of a session in words', () => {
  const open = { phase: 'open', stale: false } as const;

  it('says that it does not know, when a newer machine says something that it cannot name', () => {
    const said = sessionStateText(open, true, 'unknown', 'bridge');
    assert.deepEqual(said, { text: 'State unknown', live: true });
  });
});
