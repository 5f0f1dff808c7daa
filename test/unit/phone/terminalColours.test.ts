import assert from 'node:assert/strict';
import { contrast, hexOf, rgbOf } from '../../../phone/views/terminal/colours.ts';
import {
  colourOf,
  darkScheme,
  lightScheme,
  withMoreContrast,
} from '../../../phone/views/terminal/palette.ts';
import { runColours, runStyle } from '../../../phone/views/terminal/runStyle.ts';

const places = Array.from({ length: 256 }, (_, place) => place);
const schemes = [lightScheme, darkScheme, withMoreContrast(lightScheme), withMoreContrast(darkScheme)];

describe('the colours of a terminal on the phone', () => {
  for (const scheme of schemes) {
    it(`can be read, each on each: ${scheme.name}`, () => {
      const faults: string[] = [];
      // Between white and black no ground leaves less than this to the better of both.
      const sure = 4.5;
      for (const fg of [undefined, ...places])
        for (const bg of [undefined, ...places])
          for (const dim of [false, true]) {
            const { ink, ground } = runColours({ fg, bg, dim }, scheme);
            const least = bg === undefined ? scheme.leastContrast : sure;
            if (contrast(ink, ground) < least)
              faults.push(`${String(fg)} on ${String(bg)}${dim ? ', dim' : ''}`);
          }
      assert.deepEqual(faults, []);
    });
  }

  it('are those of the palette where they can be read without a change', () => {
    for (const scheme of [lightScheme, darkScheme])
      for (const fg of places.slice(1, 16)) {
        if (scheme === darkScheme && fg === 0) continue;
        assert.deepEqual(runColours({ fg }, scheme).ink, scheme.first[fg], `${scheme.name} ${String(fg)}`);
      }
    assert.deepEqual(colourOf(196, lightScheme), [255, 0, 0]);
    assert.deepEqual(colourOf(16, lightScheme), [0, 0, 0]);
    assert.deepEqual(colourOf(231, lightScheme), [255, 255, 255]);
    assert.deepEqual(colourOf(67, lightScheme), [95, 135, 175]);
    assert.deepEqual(colourOf(232, lightScheme), [8, 8, 8]);
    assert.deepEqual(colourOf(255, lightScheme), [238, 238, 238]);
    assert.equal(hexOf(rgbOf('#0a0b0c')), '#0a0b0c');
  });

  it('change places where a program says so, also the usual ones', () => {
    const { ink, ground } = runColours({ inverse: true }, darkScheme);
    assert.deepEqual([ink, ground], [darkScheme.ground, darkScheme.ink]);
    assert.deepEqual(runStyle({ text: 'x', inverse: true }, darkScheme), {
      color: hexOf(darkScheme.ground),
      background: hexOf(darkScheme.ink),
    });
  });

  it('leave plain text alone', () => {
    assert.equal(runStyle({ text: 'x' }, lightScheme), undefined);
    assert.deepEqual(runStyle({ text: 'x', bold: true, italic: true, underline: true }, lightScheme), {
      fontWeight: 700,
      fontStyle: 'italic',
      textDecoration: 'underline',
    });
  });

  it('cost no memory without end, whatever a program draws', () => {
    for (let red = 0; red < 5_000; red += 1)
      runStyle({ text: 'x', fg: `#${red.toString(16).padStart(6, '0')}` }, lightScheme);
    assert.deepEqual(runStyle({ text: 'x', fg: '#000001' }, lightScheme), { color: '#000001' });
  });
});
