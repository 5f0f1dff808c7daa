import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyPatch, type KnownText } from '../../../core/channel/applyPatch.ts';
import { commonLength, TextPatcher } from '../../../core/channel/textPatcher.ts';
import { blockId } from '../../../core/protocol/ids.ts';
import { textPatch } from '../../../core/protocol/textPatch.ts';
import { nodeSha256 } from '../../../platform/node/nodeHash.ts';

const id = blockId.parse('t1');
const digest = (text: string): string => Buffer.from(nodeSha256(Buffer.from(text))).toString('hex');
const form = (text: string, done = false) => ({ id, type: 'text' as const, ts: 1, text, done });
const anyText = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'é', '漢', '👩‍👩‍👧', '😀', '😁') });

describe('growing texts as patches [C39] [T26] [T29]', () => {
  it('give the reader exactly the text, whatever became of it', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 12 }), texts => {
        const patcher = new TextPatcher(digest);
        let known: KnownText | undefined;
        for (const [index, text] of texts.entries()) {
          const patch = textPatch.parse(patcher.next(form(text, index === texts.length - 1)));
          assert.equal(patch.rev, index);
          const applied = applyPatch(known, patch, digest);
          assert.ok(applied.ok, applied.ok ? '' : applied.code);
          known = applied.value;
          assert.equal(known.text, text);
        }
      }),
    );
  });

  it('never cut a character in two, and never send a half of one', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const at = commonLength(a, b);
        assert.equal(a.slice(0, at), b.slice(0, at));
        for (const part of [b.slice(0, at), b.slice(at)])
          assert.equal(Buffer.from(part).toString('utf8'), part, 'a lone surrogate is no UTF-8');
      }),
    );
  });

  it('carry only what is new [C37]', () => {
    const patcher = new TextPatcher(digest);
    patcher.next(form('x'.repeat(10_000)));
    const patch = patcher.next(form(`${'x'.repeat(10_000)} and more`));
    assert.deepEqual([patch.at, patch.ins, patch.full_len], [10_000, ' and more', 10_009]);
  });

  it('are not applied over a gap, and a damaged one is told from it', () => {
    const patcher = new TextPatcher(digest);
    const first = patcher.next(form('one'));
    const second = patcher.next(form('one two'));
    const third = patcher.next(form('one two three', true));
    assert.deepEqual(applyPatch(undefined, second, digest), { ok: false, code: 'gap' });
    const known = applyPatch(undefined, first, digest);
    assert.ok(known.ok);
    assert.deepEqual(applyPatch(known.value, third, digest), { ok: false, code: 'gap' });
    assert.deepEqual(applyPatch(known.value, first, digest), known, 'a text that begins again replaces');
    const next = applyPatch(known.value, second, digest);
    assert.ok(next.ok);
    for (const damaged of [
      { ...third, ins: ' tree!!' },
      { ...third, at: 100 },
      { ...third, full_len: 3 },
      { ...third, digest: '0'.repeat(64) },
    ])
      assert.deepEqual(applyPatch(next.value, damaged, digest), { ok: false, code: 'damaged' });
  });

  it('begin anew for a reader that did not get the last one', () => {
    const patcher = new TextPatcher(digest);
    patcher.next(form('one'));
    patcher.forget(id);
    assert.equal(patcher.knows(id), false);
    const whole = patcher.next(form('one two'));
    assert.deepEqual([whole.rev, whole.at, whole.ins], [0, 0, 'one two']);
  });

  it('forget a text that has ended, so that memory stays small', () => {
    const patcher = new TextPatcher(digest);
    patcher.next(form('one'));
    patcher.next(form('one', true));
    assert.equal(patcher.knows(id), false);
  });
});
