import * as z from 'zod/mini';
import { base64Text } from '../base64Text.ts';
import { attachment } from '../block/textBlocks.ts';
import { blockId, contentId } from '../ids.ts';
import { limits } from '../limits.ts';
import { request } from './fields.ts';

const cells = z.int().check(z.gte(2), z.lte(2_000));
const piece = base64Text(limits.pieceChars);

/** A piece of an attachment. */
export const upload = z.object({
  type: z.literal('upload'),
  ...request,
  attachment_id: contentId,
  mime: attachment.shape.mime,
  offset: z.int().check(z.gte(0)),
  total_bytes: z.int().check(z.gte(1), z.lte(limits.attachmentBytes)),
  data: piece,
});

/** A piece of what is being said. */
export const speechChunk = z.object({
  type: z.literal('stt_chunk'),
  ...request,
  stt_id: blockId,
  seq: z.int().check(z.gte(0)),
  codec: z.enum(['pcm16', 'opus']),
  data: piece,
});
/** Nothing more is being said. */
export const speechEnd = z.object({ type: z.literal('stt_end'), ...request, stt_id: blockId });

/** Keys for a terminal that this phone may steer. */
export const terminalInput = z.object({
  type: z.literal('terminal_input'),
  ...request,
  term_id: blockId,
  data: piece,
});
/** The reader's size, for a terminal that nobody shows at the desk. */
export const terminalResize = z.object({
  type: z.literal('terminal_resize'),
  ...request,
  term_id: blockId,
  cols: cells,
  rows: cells,
});
