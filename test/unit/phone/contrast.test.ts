import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const css = readFileSync(join(import.meta.dirname, '../../../phone/app/tokens.css'), 'utf8');

/** The colours of the `:root` after `start`, on top of others. */
function colours(start: string, base: ReadonlyMap<string, string> = new Map()): Map<string, string> {
  const block = css.slice(css.indexOf(start)).split('}')[0] ?? '';
  const found = [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)];
  assert.ok(found.length > 0, start);
  return new Map([...base, ...found.map(([, name = '', value = '']): [string, string] => [name, value])]);
}

/** Relative luminance as WCAG 2 has it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const texts = ['ink', 'ink-soft', 'ink-faint', 'accent', 'bad', 'warn', 'good'];
const grounds = ['paper', 'raised', 'sunken'];
/** Words on what is no ground of the page: of buttons, chosen answers, the lines above a session, and changed lines. */
const others = [
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['ink', 'accent-wash'],
  ['ink-soft', 'accent-wash'],
  ['accent', 'accent-wash'],
  ['warn', 'warn-wash'],
  ['ink', 'added-wash'],
  ['ink-soft', 'added-wash'],
  ['good', 'added-wash'],
  ['ink', 'removed-wash'],
  ['ink-soft', 'removed-wash'],
  ['bad', 'removed-wash'],
] as const;

const light = colours(':root');
const dark = colours('@media (prefers-color-scheme: dark)', light);
const schemes = {
  light,
  dark,
  'light with more contrast': colours('@media (prefers-contrast: more) {', light),
  'dark with more contrast': colours(
    '@media (prefers-contrast: more) and',
    colours('@media (prefers-contrast: more) {', dark),
  ),
};

describe('the colours of the phone app', () => {
  for (const [name, scheme] of Object.entries(schemes)) {
    const faults = (pairs: readonly (readonly [string, string])[], least: number): string[] =>
      pairs
        .map(([front, ground]) => {
          const ratio = contrast(scheme.get(front) ?? '', scheme.get(ground) ?? '');
          return ratio >= least ? undefined : `${front} on ${ground}: ${ratio.toFixed(2)}`;
        })
        .filter(fault => fault !== undefined);

    it(`can be read: ${name}`, () => {
      const pairs = texts.flatMap(text => grounds.map((ground): [string, string] => [text, ground]));
      assert.deepEqual(faults([...pairs, ...others], 4.5), []);
    });

    it(`show where a control ends: ${name}`, () => {
      const pairs = grounds.map((ground): [string, string] => ['edge', ground]);
      assert.deepEqual(faults(pairs, 3), []);
    });
  }
});
