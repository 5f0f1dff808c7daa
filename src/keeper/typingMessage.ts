import * as z from 'zod/mini';

/** Largest paste, in bytes of UTF-8. */
export const maxPasteBytes = 65_536;
/** Most that keys may have at once, in bytes. */
export const maxKeysBytes = 1_024;

export const pasteRequest = z.object({
  id: z.int(),
  text: z.string().check(z.maxLength(maxPasteBytes)),
  submit: z.boolean(),
  force: z.boolean(),
});

export const keysRequest = z.object({
  id: z.int(),
  /** Base64. */
  keys: z.string().check(z.maxLength(2 * maxKeysBytes)),
});

/**
 * What has come of typing from afar. `desk_is_typing`: somebody at the desk has begun to type since their last Enter, or is pasting;
 * nothing was typed. `busy`: too much waits already; nothing was typed. `unread`: the program does not read; it may find the
 * text later, without an Enter. `gone`: the program has ended.
 */
export const typingOutcome = z.enum(['typed', 'desk_is_typing', 'busy', 'unread', 'gone']);
export type TypingOutcome = z.infer<typeof typingOutcome>;

export const typedAnswer = z.object({ id: z.int(), outcome: typingOutcome });
