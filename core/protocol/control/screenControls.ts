import * as z from 'zod/mini';
import { pageRequest, screenId } from '../screenPicture.ts';
import { promptText, request } from './fields.ts';

/**
 * Asks for the picture of the terminal that the session's agent runs in: at once when `after` is absent or not the present
 * revision, else as soon as something changes. Each picture is asked for, so that none waits for a phone that sleeps.
 */
export const screenLook = z.object({
  type: z.literal('screen_look'),
  ...request,
  /** The revision that the reader has, of this screen and no other. */
  after: z.optional(z.int().check(z.gte(0))),
  screen_id: z.optional(screenId),
});

/** Asks for lines above the screen. */
export const screenPageRequest = z.object({
  type: z.literal('screen_page'),
  ...request,
  /** The number of the line before which they end. */
  before: pageRequest.shape.before,
  limit: pageRequest.shape.limit,
});

/**
 * Types a text into the terminal that the reader saw, as one paste that nothing else gets into. For owners; what somebody has
 * begun to type at the desk is not added to, unless that is wanted.
 */
export const typeText = z.object({
  type: z.literal('type_text'),
  ...request,
  screen_id: screenId,
  text: promptText,
  /** An Enter follows, once the program has read the text. */
  submit: z.boolean(),
  /** Also where somebody at the desk has begun to type: their draft and the text become one. */
  force: z.optional(z.boolean()),
});

/** Presses one key of a closed list in the terminal that the reader saw. For owners. */
export const pressKey = z.object({
  type: z.literal('press_key'),
  ...request,
  screen_id: screenId,
  key: z.enum([
    'enter',
    'escape',
    'tab',
    'shift_tab',
    'up',
    'down',
    'left',
    'right',
    'page_up',
    'page_down',
    'backspace',
    'space',
    'ctrl_c',
    'y',
    'n',
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
  ]),
});
export type Key = z.infer<typeof pressKey>['key'];
