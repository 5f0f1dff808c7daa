import assert from 'node:assert/strict';
import { chooseMutants, rankFunctions } from '../../../scripts/mutation/chooseMutants.mjs';
import { mutantsOf } from '../../../scripts/mutation/mutantsOf.mjs';
import type { RunFunction } from '../../../scripts/mutation/readCoverage.mjs';
import { seededRandom } from '../../../scripts/mutation/seededRandom.mjs';

/** What each mutation makes of a text of one line, without the rest of it. */
const changed = (text: string): string[] => mutantsOf('a.ts', text).map(mutant => mutant.text);

describe('the mutations of a source', () => {
  it('negate conditions', () => {
    assert.ok(changed('if (a.ok) b;').includes('if (!(a.ok)) b;'));
    assert.ok(changed('const x = a ? b : c;').includes('const x = !(a) ? b : c;'));
  });

  it('swap comparisons, and "and" for "or"', () => {
    assert.deepEqual(changed('const x = a === b;'), ['const x = a !== b;']);
    assert.deepEqual(changed('const x = a < b;'), ['const x = a >= b;']);
    assert.deepEqual(changed('const x = a && b;'), ['const x = a || b;']);
  });

  it('drop statements, and leave functions early', () => {
    assert.deepEqual(changed('close(socket);'), ['{}']);
    assert.ok(changed('function f() { work(); }').includes('function f() {return; work(); }'));
    assert.ok(changed('const f = () => work();').includes('const f = () => undefined;'));
  });

  it('move bounds, and change codes but no words', () => {
    assert.deepEqual(changed('const max = 1_024;'), ['const max = 1025;']);
    assert.deepEqual(changed("const x = 'bad_mac';"), ["const x = 'not_bad_mac';"]);
    assert.deepEqual(changed("const x = 'Say it in words.';"), []);
  });

  it('leave types and imports alone, and names', () => {
    assert.deepEqual(changed("import { a } from 'module';"), []);
    assert.deepEqual(changed("type A = 'one' | 'two'; interface B { readonly kind: 'one' }"), []);
    assert.deepEqual(changed("const x = { 'name': y };"), []);
  });

  it('are programs, each of them', () => {
    // `a ?? b || c` is none.
    assert.deepEqual(changed('const x = a ?? (b && c);'), ['const x = a ?? (b || c);']);
    assert.deepEqual(changed('const x = (a && b) ?? c;'), ['const x = (a || b) ?? c;']);
  });

  it('say where they are', () => {
    const [mutant] = mutantsOf('a.ts', '\n\nclose(socket);');
    assert.deepEqual([mutant?.line, mutant?.kind], [3, 'drop the statement']);
  });
});

describe('the choice of mutations', () => {
  const source = 'const f = () => { if (a) { b(); } };\nconst g = () => { c(); };\nd();\n';
  const span = (name: string, text: string, rest: Partial<RunFunction> = {}): [string, RunFunction] => {
    const start = source.indexOf(text);
    const end = start + text.length;
    return [name, { file: 'a.ts', name, start, end, count: 1, idle: [], ...rest }];
  };
  const whole = span('', source);
  const f = '() => { if (a) { b(); } }';
  const g = '() => { c(); }';
  const random = seededRandom(1);

  const titles = ['own', 'b', 'c', 'd'];
  const tested = (
    functionTests: Record<string, readonly number[]> = {},
  ): Parameters<typeof rankFunctions>[2] => ({
    titles,
    functionTests,
  });

  it('begins with code that few others run, without what loading runs and without files as a whole', () => {
    const run = new Map([whole, span('f', f), span('g', g), span('loaded', 'd()', { count: 2 })]);
    const load = new Map([whole, span('loaded', 'd()', { count: 2 })]);
    const ranked = rankFunctions(run, load, tested({ f: [0, 1, 2, 3], g: [0, 1] }), ['own'], random);
    assert.deepEqual(
      ranked.map(({ name, own, others }) => [name, own, others]),
      [
        ['g', 1, 1],
        ['f', 1, 3],
      ],
    );
  });

  it('ends with code that only programs run which the tests start', () => {
    const run = new Map([span('f', f), span('g', g)]);
    const ranked = rankFunctions(run, new Map(), tested({ f: [1], g: [0, 1, 2] }), ['own'], random);
    assert.deepEqual(
      ranked.map(({ name }) => name),
      ['g', 'f'],
    );
  });

  it('leaves out what nearly every test runs', () => {
    const run = new Map([span('f', f)]);
    const indexes = Array.from({ length: 152 }, (_, index) => index);
    const everywhere = { titles: indexes.map(String), functionTests: { f: indexes } };
    assert.deepEqual(rankFunctions(run, new Map(), everywhere, ['0'], random), []);
  });

  it('changes nothing that did not run', () => {
    const idle = [{ start: source.indexOf('{ b();'), end: source.indexOf('{ b();') + 8 }];
    const run = new Map([whole, span('f', f, { idle })]);
    const ranked = rankFunctions(run, new Map(), tested(), ['own'], random);
    const kinds = chooseMutants(ranked, run, () => source, 20, random).map(({ kind }) => kind);
    assert.deepEqual(kinds.sort(), ['negate the condition', 'return early']);
  });

  it('is the same again for the same seed', () => {
    const run = new Map([whole, span('f', f), span('g', g)]);
    const choose = (seed: number): string[] => {
      const own = seededRandom(seed);
      const ranked = rankFunctions(run, new Map(), tested(), ['own'], own);
      return chooseMutants(ranked, run, () => source, 3, own).map(({ at, kind }) => `${at} ${kind}`);
    };
    assert.equal(choose(7).length, 3);
    assert.deepEqual(choose(7), choose(7));
  });
});
