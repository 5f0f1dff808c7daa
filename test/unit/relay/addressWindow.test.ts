import assert from 'node:assert/strict';
import { AddressWindow } from '../../../relay/limits/addressWindow.ts';

describe('AddressWindow', () => {
  const limit = { attempts: 2, windowMs: 10_000, addresses: 2 };

  it('says how long to wait once the attempts are used, and forgets after the window', () => {
    const window = new AddressWindow(limit);
    assert.deepEqual([window.attempt('a', 0), window.attempt('a', 1), window.attempt('a', 4_000)], [0, 0, 6]);
    assert.equal(window.attempt('b', 4_000), 0);
    assert.equal(window.attempt('a', 10_000), 0);
  });

  it('counts a bounded number of addresses', () => {
    const window = new AddressWindow(limit);
    for (const address of ['a', 'a', 'b', 'c']) window.attempt(address, 0);
    assert.equal(window.attempt('c', 0), 0);
    assert.equal(window.attempt('a', 0), 0, 'the oldest count made room');
  });
});
