import * as z from 'zod/mini';
import { pageRequest, screenId } from '../screenPicture.ts';
import { request } from './fields.ts';

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
