/** Red, green and blue, 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** @param hex `#rrggbb` */
export function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function hexOf([red, green, blue]: Rgb): string {
  return `#${((1 << 24) | (red << 16) | (green << 8) | blue).toString(16).slice(1)}`;
}

/** @param share of `a`, 0 to 1 */
export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2): number => Math.round(a[at] * share + b[at] * (1 - share));
  return [part(0), part(1), part(2)];
}

/** Contrast as WCAG 2 has it, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(value: number): number {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
const step = 0.1;

/** The colour, or the nearest to it on the way to white or black that can be read on this ground. */
export function readable(colour: Rgb, ground: Rgb, least: number): Rgb {
  if (contrast(colour, ground) >= least) return colour;
  const end = contrast(white, ground) > contrast(black, ground) ? white : black;
  for (let share = step; share < 1; share += step) {
    const found = mix(end, colour, share);
    if (contrast(found, ground) >= least) return found;
  }
  return end;
}
