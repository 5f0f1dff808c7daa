import * as z from 'zod/mini';
import { base64Text } from '../base64Text.ts';
import { blockId } from '../ids.ts';
import { limits } from '../limits.ts';
import { common, count, title } from './fields.ts';

const cells = z.int().check(z.gte(2), z.lte(2_000));
const terminalId = blockId;

/** A terminal that can be looked at. */
export const terminalOpen = z.object({
  type: z.literal('terminal_open'),
  ...common,
  id: blockId,
  term_id: terminalId,
  title: z.optional(title),
  cols: cells,
  rows: cells,
});

/** What it shows from now on, in the order of `seq`; control sequences that reach beyond the screen are taken out. */
export const terminalData = z.object({
  type: z.literal('terminal_data'),
  ...common,
  id: blockId,
  term_id: terminalId,
  seq: count,
  data: base64Text(limits.terminalChars),
});

/** Its program has ended. */
export const terminalExit = z.object({
  type: z.literal('terminal_exit'),
  ...common,
  id: blockId,
  term_id: terminalId,
  /** As the system gives it: signed on some, unsigned on others. */
  code: z.optional(z.int().check(z.gte(-(2 ** 31)), z.lte(2 ** 32 - 1))),
});
