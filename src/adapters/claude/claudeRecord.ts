import * as z from 'zod/mini';
import { contentBlock } from './claudeFrame.ts';

const text = z.string();
const optionalText = z.optional(z.nullable(text));
const flag = z.optional(z.nullable(z.boolean()));
const origin = z.optional(z.nullable(z.object({ kind: text })));

const common = {
  uuid: text,
  /** When it was written, in ISO 8601. */
  timestamp: optionalText,
  /** A sub-agent's. */
  isSidechain: flag,
  /** `cli` in the user's own terminal, `sdk-cli` of a run with `-p`. */
  entrypoint: optionalText,
};

const user = z.object({
  type: z.literal('user'),
  ...common,
  message: z.object({ content: z.union([text, z.array(contentBlock)]) }),
  /** For the model, not for people. */
  isMeta: flag,
  isCompactSummary: flag,
  isVisibleInTranscriptOnly: flag,
  /** Who said it; older versions do not tell. */
  origin,
  toolUseResult: z.optional(z.unknown()),
  /** The user said no to the call; older versions do not tell. */
  toolDenialBeforeRun: flag,
});

const assistant = z.object({
  type: z.literal('assistant'),
  ...common,
  /** One block of the message; its other blocks are in records of their own, with the same `id`. */
  message: z.object({
    id: text,
    content: z.array(contentBlock),
    model: optionalText,
    stop_reason: optionalText,
  }),
  /** Which block of the message; older versions do not tell. */
  apiBlockIndex: z.optional(z.nullable(z.int())),
  isApiErrorMessage: flag,
  apiErrorStatus: z.optional(z.nullable(z.int())),
  error: optionalText,
});

const system = z.object({ type: z.literal('system'), ...common, subtype: text });

/** What was given to the model beside the conversation; a prompt that was typed while it worked is among it. */
const attachment = z.object({
  type: z.literal('attachment'),
  ...common,
  attachment: z.object({
    type: text,
    prompt: z.optional(z.unknown()),
    commandMode: optionalText,
    isMeta: flag,
    origin,
  }),
});

/**
 * A line of the file in which Claude Code keeps a conversation. Only what is used here; the rest and every other type are
 * passed over, since versions differ. Seen in 2.1.197 and 2.1.332.
 */
export const claudeRecord = z.discriminatedUnion('type', [user, assistant, system, attachment]);
export type ClaudeRecord = z.infer<typeof claudeRecord>;
export type UserRecord = z.infer<typeof user>;
export type AssistantRecord = z.infer<typeof assistant>;
export type AttachmentRecord = z.infer<typeof attachment>;
