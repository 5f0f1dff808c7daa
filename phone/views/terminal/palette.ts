import type { ScreenColour } from '../../../core/protocol/screenPicture.ts';
import { rgbOf, type Rgb } from './colours.ts';

/** How the phone draws: its own first sixteen colours, and what a program that names none gets. */
export interface Scheme {
  readonly name: string;
  readonly ink: Rgb;
  readonly ground: Rgb;
  readonly first: readonly Rgb[];
  /** Least contrast ratio of words to their ground (WCAG); where no colour has so much, the strongest there is. */
  readonly leastContrast: number;
}

const usual = 4.5;
const more = 7;

function scheme(name: string, ink: string, ground: string, first: string): Scheme {
  const colours = first.split(' ').map(rgbOf);
  return { name, ink: rgbOf(ink), ground: rgbOf(ground), first: colours, leastContrast: usual };
}

export const lightScheme = scheme(
  'light',
  '#14191b',
  '#ffffff',
  '#14191b #b0241c #17652f #7f4b00 #1d4fa8 #86277f #00636d #5d676c #656f74 #c02f26 #1c7439 #8a5600 #2a60c4 #9c3a96 #006e7a #2b3235',
);
export const darkScheme = scheme(
  'dark',
  '#e6eaeb',
  '#0b0f10',
  '#1e2426 #ff8177 #6cc283 #e0ab58 #78aaf0 #d692d0 #5cc8d2 #c3cacd #8c979c #ff9f97 #8cd8a0 #f3c67c #9cc3f8 #e6b2e1 #86dde5 #ffffff',
);

export function withMoreContrast(base: Scheme): Scheme {
  const isDark = base === darkScheme;
  return {
    ...base,
    name: `${base.name}, more contrast`,
    ink: isDark ? [255, 255, 255] : [0, 0, 0],
    ground: isDark ? [0, 0, 0] : [255, 255, 255],
    leastContrast: more,
  };
}

/** The steps of the colour cube that the palette's places 16 to 231 are. */
const steps = [0, 95, 135, 175, 215, 255];

/** @param colour undefined for the usual one */
export function colourOf(colour: ScreenColour, { first }: Scheme): Rgb {
  if (typeof colour === 'string') return rgbOf(colour);
  if (colour < 16) return first[colour] ?? [0, 0, 0];
  if (colour >= 232) {
    const grey = 8 + (colour - 232) * 10;
    return [grey, grey, grey];
  }
  const place = colour - 16;
  const at = (index: number): number => steps[index] ?? 0;
  return [at(Math.floor(place / 36)), at(Math.floor(place / 6) % 6), at(place % 6)];
}
