import * as z from 'zod/mini';
import { requestId } from '../ids.ts';
import { limits } from '../limits.ts';

/** Every control names itself, so that its answer finds back, and so that it is done at most once. */
export const request = { request_id: requestId };

/**
 * The outer bound. A bridge refuses more than `limits.textChars` characters and more than `limits.promptBytes` bytes by a code
 * that says so, `frame_too_large`.
 */
export const promptText = z.string().check(z.minLength(1), z.maxLength(limits.promptBytes));

/** Names a prompt for good. Short enough that ids can be made of it. */
export const clientMessageId = z.string().check(z.regex(/^[A-Za-z0-9_.:-]{1,100}$/));

/** Names of optional parts of the protocol that a reader understands, `patch1` for example. */
export const peerCapabilities = z
  .array(z.string().check(z.regex(/^[a-z0-9_]{1,32}$/)))
  .check(z.maxLength(32));
