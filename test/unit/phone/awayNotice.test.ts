import assert from 'node:assert/strict';
import { awayNotice } from '../../../phone/views/session/awayNotice.ts';

describe('the notice that a conversation is in a terminal', () => {
  it('says in whose, while nothing is to be answered', () => {
    for (const owner of ['terminal', 'elsewhere'] as const) {
      assert.equal(awayNotice({ activity: 'running', owner }, 0), owner);
      assert.equal(
        awayNotice({ activity: 'awaiting_approval', owner }, 1),
        undefined,
        'the action has the room',
      );
      assert.equal(awayNotice({ activity: 'ended', owner }, 0), undefined);
    }
    assert.equal(awayNotice({ activity: 'idle' }, 0), undefined, 'it is with the bridge');
    assert.equal(awayNotice({ activity: 'idle', owner: 'unknown' }, 0), undefined);
    assert.equal(awayNotice(undefined, 0), undefined);
  });
});
