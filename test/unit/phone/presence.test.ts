import assert from 'node:assert/strict';
import { presenceOf } from '../../../phone/state/presence.ts';

describe('the presence of a machine', () => {
  it('tells a relay that is there from a machine that is', () => {
    assert.equal(presenceOf({ phase: 'online' }, 1), 'online');
    assert.equal(presenceOf({ phase: 'online' }, 0), 'asleep');
  });

  it('says that the relay is down only after a first retry failed', () => {
    assert.equal(presenceOf({ phase: 'connecting', attempt: 0 }, 0), 'connecting');
    assert.equal(presenceOf({ phase: 'waiting', attempt: 0, delayMs: 10 }, 0), 'connecting');
    assert.equal(presenceOf({ phase: 'waiting', attempt: 1, delayMs: 10 }, 0), 'relay_down');
    assert.equal(presenceOf({ phase: 'connecting', attempt: 1 }, 0), 'relay_down');
  });

  it('gives the reason why a connection ended for good', () => {
    assert.equal(presenceOf({ phase: 'stopped', reason: 'revoked' }, 0), 'revoked');
    assert.equal(presenceOf({ phase: 'stopped', reason: 'replaced' }, 0), 'replaced');
  });
});
