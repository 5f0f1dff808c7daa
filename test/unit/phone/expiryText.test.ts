import assert from 'node:assert/strict';
import { expiryText } from '../../../phone/views/session/expiryText.ts';

describe('when a request that nobody answers is denied', () => {
  const expiresAt = 1_800_003_600;

  it('is said in its last hour, as a time of day', () => {
    const at = new Date(expiresAt * 1000).toLocaleTimeString(undefined, { timeStyle: 'short' });
    assert.equal(expiryText(expiresAt, 1_800_000_000_000), `Denied by itself at ${at}.`);
    assert.equal(expiryText(expiresAt, 1_799_999_999_999), '');
    assert.equal(expiryText(undefined, 1_800_000_000_000), '');
  });
});
