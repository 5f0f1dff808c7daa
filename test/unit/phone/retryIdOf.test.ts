import assert from 'node:assert/strict';
import { clientMessageId } from '../../../core/protocol/control/fields.ts';
import { retryIdOf } from '../../../phone/state/retryIdOf.ts';

describe('the id of a prompt that is sent again', () => {
  it('is always the same for one prompt, and another for each further try', () => {
    assert.equal(retryIdOf('abc'), retryIdOf('abc'));
    assert.equal(retryIdOf('abc'), 'retry1.abc');
    assert.equal(retryIdOf(retryIdOf('abc')), 'retry2.abc');
    assert.notEqual(retryIdOf('abc'), retryIdOf('abd'));
  });

  it('is one that the protocol takes, however long the first was and however often it is tried', () => {
    let id = 'x'.repeat(100);
    for (let tries = 0; tries < 1_000; tries += 1) {
      id = retryIdOf(id);
      assert.ok(clientMessageId.safeParse(id).success, id);
    }
    assert.match(id, /^retry1000\.x+$/);
  });
});
