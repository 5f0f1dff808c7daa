import type { CSSProperties } from 'preact';
import type { StyledRun } from '../../../core/protocol/screenPicture.ts';
import { hexOf, mix, readable, type Rgb } from './colours.ts';
import { colourOf, type Scheme } from './palette.ts';

/** How much of its colour dim text keeps. */
const dimShare = 0.62;
/** Styles that are kept at most: a program may use any number of colours. */
const keptStyles = 2_000;

const kept = new Map<string, CSSProperties | undefined>();

/** How a run is drawn; undefined when it is plain. Its text can be read whatever colours a program chooses. */
export function runStyle(run: StyledRun, scheme: Scheme): CSSProperties | undefined {
  const { fg, bg, bold, dim, italic, underline, inverse } = run;
  const key = [scheme.name, fg, bg, bold, dim, italic, underline, inverse].join();
  if (kept.has(key)) return kept.get(key);
  if (kept.size >= keptStyles) kept.clear();
  const style = styleOf(run, scheme);
  kept.set(key, style);
  return style;
}

function styleOf(run: StyledRun, scheme: Scheme): CSSProperties | undefined {
  const { ink, ground } = runColours(run, scheme);
  const style: CSSProperties = {};
  if (run.fg !== undefined || run.bg !== undefined || run.inverse === true || run.dim === true)
    style.color = hexOf(ink);
  if (run.bg !== undefined || run.inverse === true) style.background = hexOf(ground);
  if (run.bold === true) style.fontWeight = 700;
  if (run.italic === true) style.fontStyle = 'italic';
  if (run.underline === true) style.textDecoration = 'underline';
  return Object.keys(style).length === 0 ? undefined : style;
}

/** The colours of a run's text and of what is behind it. */
export function runColours(
  { fg, bg, dim, inverse }: Pick<StyledRun, 'fg' | 'bg' | 'dim' | 'inverse'>,
  scheme: Scheme,
): { readonly ink: Rgb; readonly ground: Rgb } {
  const front = fg === undefined ? scheme.ink : colourOf(fg, scheme);
  const back = bg === undefined ? scheme.ground : colourOf(bg, scheme);
  const [ink, ground] = inverse === true ? [back, front] : [front, back];
  const faded = dim === true ? mix(ink, ground, dimShare) : ink;
  return { ink: readable(faded, ground, scheme.leastContrast), ground };
}
