import assert from 'node:assert/strict';
import { takeFragment } from '../../../phone/app/takeFragment.ts';

function page(hash: string) {
  const replaced: unknown[][] = [];
  const history = {
    state: { depth: 2 },
    replaceState: (...call: unknown[]) => void replaced.push(call),
  };
  return { replaced, fragment: takeFragment({ hash, pathname: '/app/', search: '?a=1' }, history) };
}

describe('the fragment of the address', () => {
  it('is read and taken out, with the rest of the address and the state kept', () => {
    const { fragment, replaced } = page('#secret');
    assert.equal(fragment, '#secret');
    assert.deepEqual(replaced, [[{ depth: 2 }, '', '/app/?a=1']]);
  });

  it('is left alone where there is none', () => {
    const { fragment, replaced } = page('');
    assert.equal(fragment, '');
    assert.deepEqual(replaced, []);
  });
});
