import assert from 'node:assert/strict';
import { retryText } from '../../../phone/views/session/retryText.ts';

describe('when something is tried again', () => {
  const at = new Date(1_800_000_012_000).toLocaleTimeString();

  it('is told as a time of day, with the count of tries where there is one [C44] [C47]', () => {
    const error = { ts: 1_800_000_000, retry_in_ms: 12_000, recoverable: true };
    assert.equal(retryText({ ...error, attempt: 2, max_attempts: 3 }), `Next try at ${at} (2 of 3)`);
    assert.equal(retryText(error), `Next try at ${at}`);
    assert.equal(retryText({ ...error, recoverable: false }), `What waits goes on at ${at}`);
    assert.equal(retryText({ ts: 1, recoverable: false }), undefined);
  });
});
