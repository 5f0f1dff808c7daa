import * as z from 'zod/mini';

/** Largest picture or page, in bytes of JSON: it goes into one message, with room for what is about it. */
export const maxPictureBytes = 184_320;
/** Older lines that one page may have. */
export const maxPageLines = 200;

/** UTF-16 units of a whole line in one style: of each cell no more than 32 are told. */
const lineChars = 65_536;
/** Columns, or rows, of the largest terminal. */
const cells = 2_000;

/** Names a terminal for as long as it is shown: revisions and numbers of lines are its own. */
export const screenId = z.string().check(z.regex(/^[0-9a-f]{16}$/));

const count = z.int().check(z.gte(0));
const side = z.int().check(z.gte(1), z.lte(cells));

/** A place in the palette, 0 to 255 (the first 16 are the viewer's own), or `#rrggbb`. Absent: the viewer's usual one. */
export const screenColour = z.union([
  z.int().check(z.gte(0), z.lte(255)),
  z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
]);
export type ScreenColour = z.infer<typeof screenColour>;

/** Text in one style. It has no control character, no bidirectional override and no unpaired surrogate. */
export const styledRun = z.object({
  text: z.string().check(z.minLength(1), z.maxLength(lineChars)),
  /** Columns that it takes, where that is not the length of `text`: wide, combined and outer characters. */
  cells: z.optional(count),
  fg: z.optional(screenColour),
  bg: z.optional(screenColour),
  bold: z.optional(z.boolean()),
  dim: z.optional(z.boolean()),
  italic: z.optional(z.boolean()),
  underline: z.optional(z.boolean()),
  /** `fg` and `bg` change places, also where they are the viewer's usual ones. */
  inverse: z.optional(z.boolean()),
});
export type StyledRun = z.infer<typeof styledRun>;

/** A line from its first column on, without the blanks at its end. */
const runs = z.array(styledRun).check(z.maxLength(cells));

/** What did not fit: `styles` when every run is plain, `text` when lines are shortened, too. */
const cut = z.optional(z.catch(z.enum(['styles', 'text']), 'text'));

/**
 * Lines above the screen. Each has a number that never comes to mean another one: what is `first` grows when old lines are
 * dropped, and jumps when a new width breaks all of them anew.
 */
export const scrollback = z.object({ first: count, count: count });
export type Scrollback = z.infer<typeof scrollback>;

/** What a terminal shows. */
export const screenPicture = z.object({
  /** Grows with each change that can be seen. */
  revision: z.int().check(z.gte(1)),
  columns: side,
  rows: side,
  /** From 0, within the screen. */
  cursor: z.object({ row: count, column: count, visible: z.boolean() }),
  /** The program draws on a screen of its own; `scrollback` is what was before. */
  alternate: z.boolean(),
  scrollback,
  /** Rows that are not as they were at the revision that was asked from; all of them when that is not known. */
  changed: z.array(z.object({ row: count, runs })).check(z.maxLength(cells)),
  cut,
});
export type ScreenPicture = z.infer<typeof screenPicture>;

/** Lines of the scrollback, the oldest first. */
export const screenPage = z.object({
  scrollback,
  /** Number of the first of `lines`. */
  from: count,
  lines: z.array(z.object({ runs })).check(z.maxLength(maxPageLines)),
  cut,
});
export type ScreenPage = z.infer<typeof screenPage>;

/** A picture, once something has changed after a revision; the present one when that is absent or not known. */
export const lookRequest = z.object({ after: z.optional(z.int()) });
export type LookRequest = z.infer<typeof lookRequest>;

/** The lines that end before a number. */
export const pageRequest = z.object({
  before: count,
  limit: z.int().check(z.gte(1), z.lte(maxPageLines)),
});
export type PageRequest = z.infer<typeof pageRequest>;
