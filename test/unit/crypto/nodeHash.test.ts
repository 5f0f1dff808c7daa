import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { nodeHmac } from '../../../platform/node/nodeHash.ts';

describe('nodeHmac', () => {
  it('follows a key array whose bytes were changed after its first use', () => {
    const key = new Uint8Array(randomBytes(32));
    const data = new Uint8Array(100);
    const expected = (): Uint8Array => Uint8Array.from(createHmac('sha256', key).update(data).digest());
    assert.deepEqual(nodeHmac(key, data), expected());
    assert.deepEqual(nodeHmac(key, data), expected());
    key.fill(1);
    assert.deepEqual(nodeHmac(key, data), expected());
  });

  it('takes an empty key and one longer than a block', () => {
    for (const length of [0, 64, 65, 200]) {
      const key = new Uint8Array(length).fill(5);
      const expected = createHmac('sha256', key).update('x').digest();
      assert.deepEqual(nodeHmac(key, Uint8Array.of(0x78)), Uint8Array.from(expected));
    }
  });
});
