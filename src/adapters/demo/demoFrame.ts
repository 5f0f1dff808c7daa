import * as z from 'zod/mini';
import { blockId as anyBlockId, turnId } from '../../../core/protocol/ids.ts';
import { toolInput } from '../../../core/protocol/block/toolBlocks.ts';
import { questionBlock } from '../../../core/protocol/block/approvalBlocks.ts';
import { questionResponse } from '../../../core/protocol/control/conversationControls.ts';
import { limits } from '../../../core/protocol/limits.ts';

const name = z.string().check(z.maxLength(limits.nameChars));
const title = z.string().check(z.maxLength(limits.titleChars));
/** Leaves room for the ids that are made of it. */
const blockId = anyBlockId.check(z.maxLength(100));
const toolKind = z.enum(['read', 'edit', 'execute', 'search', 'fetch', 'think', 'other']);

/** What the demo agent says, one JSON object a line. Deltas: the adapter makes full text of them. */
export const demoFrame = z.discriminatedUnion('type', [
  /** Which conversation it is, to resume it by. */
  z.object({ type: z.literal('conversation'), id: z.string().check(z.regex(/^[0-9a-f-]{1,64}$/)) }),
  /** In its record: what it was told. */
  z.object({ type: z.literal('prompt'), id: z.string().check(z.regex(/^[\w-]{1,64}$/)), text: z.string() }),
  z.object({ type: z.literal('accepted'), turn: turnId }),
  z.object({ type: z.literal('delta'), id: blockId, role: z.enum(['text', 'thinking']), text: z.string() }),
  z.object({ type: z.literal('delta_end'), id: blockId }),
  z.object({ type: z.literal('tool'), id: blockId, name, title, kind: toolKind, input: toolInput }),
  z.object({
    type: z.literal('ask'),
    id: blockId,
    tool_id: blockId,
    name,
    title,
    input: toolInput,
    cwd: z.string().check(z.maxLength(limits.pathChars)),
    risk: z.enum(['low', 'medium', 'high']),
  }),
  z.object({
    type: z.literal('question'),
    id: blockId,
    header: name,
    text: z.string().check(z.maxLength(limits.titleChars)),
    options: questionBlock.shape.options,
    multiple: z.boolean(),
    allow_custom: z.boolean(),
  }),
  /** An answer to a question has arrived. */
  z.object({ type: z.literal('answered'), id: blockId }),
  z.object({
    type: z.literal('tool_end'),
    id: blockId,
    outcome: z.enum(['ok', 'error', 'denied', 'interrupted']),
    content: z.string(),
  }),
  z.object({
    type: z.literal('diff'),
    id: blockId,
    tool_id: blockId,
    path: z.string().check(z.maxLength(limits.pathChars)),
    unified: z.string(),
    added: z.int().check(z.gte(0)),
    removed: z.int().check(z.gte(0)),
  }),
  z.object({
    type: z.literal('turn_end'),
    turn: turnId,
    reason: z.enum(['completed', 'interrupted', 'error']),
  }),
]);
export type DemoFrame = z.infer<typeof demoFrame>;

/** What it is told. */
export const demoCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('prompt'), turn: turnId, text: z.string() }),
  z.object({ type: z.literal('answer'), id: blockId, allow: z.boolean() }),
  z.object({ type: z.literal('reply'), id: blockId, answer: z.optional(questionResponse.shape.answer) }),
  z.object({ type: z.literal('interrupt') }),
]);
export type DemoCommand = z.infer<typeof demoCommand>;
