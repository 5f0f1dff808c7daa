import assert from 'node:assert/strict';
import { sessionId } from '../../../core/protocol/ids.ts';
import { SessionMap } from '../../../relay/routing/sessionMap.ts';

describe('SessionMap', () => {
  const [s1, s2, s3] = [sessionId.parse('s1'), sessionId.parse('s2'), sessionId.parse('s3')];
  const [a, b] = [{ name: 'a' }, { name: 'b' }];

  it('gives a session one holder', () => {
    const map = new SessionMap<object>(9);
    assert.equal(map.claim(s1, a), 'claimed');
    assert.equal(map.claim(s1, a), 'claimed');
    assert.equal(map.claim(s1, b), 'busy');
    assert.equal(map.holderOf(s1), a);
  });

  it('lets only the holder release', () => {
    const map = new SessionMap<object>(9);
    map.claim(s1, a);
    map.release(s1, b);
    assert.equal(map.holderOf(s1), a);
    map.release(s1, a);
    assert.equal(map.claim(s1, b), 'claimed');
  });

  it('frees all that a holder had, and nothing else', () => {
    const map = new SessionMap<object>(9);
    map.claim(s1, a);
    map.claim(s2, b);
    map.claim(s3, a);
    map.releaseAll(a);
    assert.deepEqual(
      [s1, s2, s3].map(session => map.holderOf(session)),
      [undefined, b, undefined],
    );
  });

  it('tells the sessions that were claimed last, oldest first', () => {
    const map = new SessionMap<object>(10);
    for (const session of [s1, s2, s3]) map.claim(session, a);
    assert.deepEqual(map.newest(2), [s2, s3]);
    map.release(s2, a);
    map.claim(s2, b);
    map.claim(s1, a);
    assert.deepEqual(map.newest(10), [s1, s3, s2]);
  });

  it('bounds what one holder has, also after releases', () => {
    const map = new SessionMap<object>(2);
    map.claim(s1, a);
    map.claim(s2, a);
    assert.equal(map.claim(s3, a), 'full');
    map.release(s1, a);
    assert.equal(map.claim(s3, a), 'claimed');
    assert.equal(map.claim(s1, a), 'full');
  });
});
