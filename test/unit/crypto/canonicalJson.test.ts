import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalJson, MAX_JSON_DEPTH } from '../../../core/crypto/canonicalJson.ts';

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
}

describe('canonicalJson', () => {
  it('writes the example of RFC 8785 3.2.3', () => {
    const input = {
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    assert.equal(
      canonicalJson(input),
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('writes numbers as RFC 8785 appendix B does', () => {
    const samples: readonly (readonly [number, string])[] = [
      [0, '0'],
      [-0, '0'],
      [5e-324, '5e-324'],
      [-5e-324, '-5e-324'],
      [1.7976931348623157e308, '1.7976931348623157e+308'],
      [9007199254740992, '9007199254740992'],
      [295147905179352830000, '295147905179352830000'],
      [9.999999999999997e22, '9.999999999999997e+22'],
      [1e23, '1e+23'],
      [1.0000000000000001e23, '1.0000000000000001e+23'],
      [999999999999999700000, '999999999999999700000'],
      [1e21, '1e+21'],
      [9.999999999999997e-7, '9.999999999999997e-7'],
      [0.000001, '0.000001'],
      [333333333.3333332, '333333333.3333332'],
    ];
    for (const [number, text] of samples) assert.equal(canonicalJson(number), text);
  });

  it('orders keys by UTF-16 code units, so that a surrogate comes before U+FB33 (RFC 8785 3.2.3)', () => {
    const input = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
    assert.equal(
      canonicalJson(input),
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
    );
  });

  it('refuses what JCS has no form for', () => {
    for (const value of [
      NaN,
      Infinity,
      -Infinity,
      undefined,
      1n,
      Symbol('x'),
      () => 1,
      '\ud800',
      'a\udc00b',
    ]) {
      assert.equal(canonicalJson(value), undefined);
      assert.equal(canonicalJson([value]), undefined);
    }
    assert.equal(canonicalJson({ a: '\ud800' }), undefined);
    assert.equal(canonicalJson({ '\udfff': 1 }), undefined);
    assert.equal(canonicalJson('\u{1f600}'), '"\u{1f600}"');
  });

  it('leaves undefined members out, as what travels does', () => {
    assert.equal(canonicalJson({ b: undefined, a: 1 }), '{"a":1}');
  });

  it('refuses nesting beyond its bound instead of overflowing the stack', () => {
    assert.ok(canonicalJson(nested(MAX_JSON_DEPTH)) !== undefined);
    assert.equal(canonicalJson(nested(MAX_JSON_DEPTH + 1)), undefined);
    assert.equal(canonicalJson(nested(100_000)), undefined);
  });

  it('does not depend on the order of insertion, and keeps the value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), record => {
        const reversed = Object.fromEntries(Object.entries(record).reverse());
        const text = canonicalJson(record);
        assert.equal(canonicalJson(reversed), text);
        if (text === undefined) return;
        assert.equal(JSON.stringify(JSON.parse(text)).length, text.length);
        assert.equal(canonicalJson(JSON.parse(text)), text, 'it is its own canonical form');
      }),
    );
  });
});
