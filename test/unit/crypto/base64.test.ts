import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeBase64, encodeBase64 } from '../../../core/protocol/base64.ts';
import { leastRuns } from '../../fakes/leastRuns.ts';

describe('base64', () => {
  it('writes what the platform writes and reads it back [K15]', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
        const text = encodeBase64(bytes);
        assert.equal(text, Buffer.from(bytes).toString('base64'));
        assert.deepEqual(decodeBase64(text), Uint8Array.from(bytes));
      }),
    );
  });

  it('takes only the one padded form', () => {
    const refused = [
      'A',
      'AA',
      'AAA',
      'AA=A',
      '====',
      'AB==',
      'AAB=',
      'A===',
      'AA-_',
      'AA A',
      'AAA\u00e9',
      'AAA='.repeat(2),
    ];
    for (const text of refused) assert.equal(decodeBase64(text), undefined, text);
    assert.deepEqual(decodeBase64(''), new Uint8Array(0));
    assert.deepEqual(decodeBase64('AA=='), new Uint8Array(1));
  });

  it('reads any text to bytes that give the same text again, or to nothing', () => {
    const alphabet = fc.constantFrom('A', 'B', 'a', '0', '+', '/', '=', '-', ' ');
    fc.assert(
      fc.property(fc.string({ unit: alphabet, maxLength: 12 }), text => {
        const bytes = decodeBase64(text);
        if (bytes !== undefined) assert.equal(encodeBase64(bytes), text);
      }),
      leastRuns(500),
    );
  });
});
