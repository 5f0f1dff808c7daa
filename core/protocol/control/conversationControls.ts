import * as z from 'zod/mini';
import { effort, mode, modelId, slashCommand } from '../block/agentBlocks.ts';
import { permissionOption } from '../block/approvalBlocks.ts';
import { path, title } from '../block/fields.ts';
import { attachment } from '../block/textBlocks.ts';
import { agentId, blockId, contentId, turnId } from '../ids.ts';
import { limits } from '../limits.ts';
import { timestamp } from '../timestamp.ts';
import { clientMessageId, peerCapabilities, promptText, request } from './fields.ts';

/** Opens a new conversation on the channel whose session id the phone drew. */
export const openControl = z.object({
  type: z.literal('open'),
  ...request,
  agent_id: agentId,
  cwd: z.optional(path),
  model: z.optional(modelId),
  effort: z.optional(effort),
  mode: z.optional(mode),
  /** Longer than 49152 characters, or than 65536 bytes of UTF-8, it is refused as `frame_too_large`. */
  prompt: z.optional(promptText),
  client_msg_id: z.optional(clientMessageId),
  capabilities: z.optional(peerCapabilities),
});

/**
 * Goes on after the last journal block that the reader holds; 0 asks for everything kept. A reader of another history gets a
 * snapshot: its `generation` is another one, or what it holds as that block is of another time.
 */
export const resumeControl = z.object({
  type: z.literal('resume'),
  ...request,
  since_seq: z.int().check(z.gte(0)),
  generation: z.optional(z.int().check(z.gte(0))),
  /** `ts` of the block `since_seq` as the reader holds it: the machine may have lost its end and written another one. */
  since_ts: z.optional(timestamp),
  capabilities: z.optional(peerCapabilities),
});

/** A prompt. Its id makes sending it again safe. */
export const userMessage = z.object({
  type: z.literal('user_message'),
  ...request,
  /** Longer than 49152 characters, or than 65536 bytes of UTF-8, it is refused as `frame_too_large`. */
  text: promptText,
  attachments: z.optional(z.array(attachment).check(z.maxLength(limits.attachments))),
  client_msg_id: clientMessageId,
  /** While a turn runs: `queue` and `auto` go after all that waits, `steer` before it, at the end of the turn. */
  delivery: z.enum(['auto', 'steer', 'queue']),
});

/** Answers a request for exactly the action that was shown: the digest says which. */
export const permissionResponse = z.object({
  type: z.literal('permission_response'),
  ...request,
  id: blockId,
  option_id: permissionOption.shape.id,
  /** Recomputed by the phone over what it showed. */
  digest: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** For the agent, with a denial. Not passed on yet. */
  message: z.optional(z.string().check(z.maxLength(2_048))),
});

/** Answers a question, by options or in own words. */
export const questionResponse = z.object({
  type: z.literal('question_response'),
  ...request,
  id: blockId,
  answer: z.union([
    z.object({
      selected: z
        .array(z.string().check(z.regex(/^[a-z0-9_]{1,32}$/)))
        .check(z.minLength(1), z.maxLength(limits.questionOptions)),
    }),
    z.object({ custom: z.string().check(z.minLength(1), z.maxLength(4_096)) }),
  ]),
});

/** Stops the turn that is named, and no other. */
export const interruptControl = z.object({ type: z.literal('interrupt'), ...request, turn_id: turnId });
/** Ends the conversation and its agent. */
export const endSession = z.object({ type: z.literal('end_session'), ...request });
/** Which model answers from now on. */
export const setModel = z.object({ type: z.literal('set_model'), ...request, value: modelId });
/** How hard it thinks from now on. */
export const setEffort = z.object({ type: z.literal('set_effort'), ...request, value: effort });
/**
 * How freely the agent acts; full access can be set at the desk alone. Or one of the agent's own modes, in its word (`plan`);
 * one in which it asks less, at the desk alone.
 */
export const setMode = z.object({ type: z.literal('set_mode'), ...request, value: mode });

/** One of the commands that an agent's `agent_info` lists. */
export const slashCommandControl = z.object({
  type: z.literal('slash_command'),
  ...request,
  name: slashCommand.shape.name,
  args: z.optional(z.string().check(z.maxLength(4_096))),
});

/** Moves the conversation to the agent's own terminal at the desk. */
export const releaseToTerminal = z.object({ type: z.literal('release_to_terminal'), ...request });

/** Takes back a prompt that waits; puts away one that was not delivered. */
export const cancelQueued = z.object({
  type: z.literal('cancel_queued'),
  ...request,
  client_msg_id: clientMessageId,
});
/** Puts other words in place of a prompt that waits. */
export const editQueued = z.object({
  type: z.literal('edit_queued'),
  ...request,
  client_msg_id: clientMessageId,
  /** Longer than 49152 characters, or than 65536 bytes of UTF-8, it is refused as `frame_too_large`. */
  text: promptText,
});

/** Lets a prompt go that waits or is held: at the next turn boundary, before the others, which follow. */
export const sendQueued = z.object({
  type: z.literal('send_queued'),
  ...request,
  client_msg_id: clientMessageId,
});

/** Older blocks, newest first asked for by `before_seq`; they come as history. */
export const historyRequest = z.object({
  type: z.literal('history_request'),
  ...request,
  before_seq: z.int().check(z.gte(1)),
  limit: z.int().check(z.gte(1), z.lte(limits.historyBlocks)),
});

/** A piece of content that was too large for its block. `offset` in bytes. */
export const getContent = z.object({
  type: z.literal('get_content'),
  ...request,
  content_id: contentId,
  offset: z.int().check(z.gte(0)),
  max_bytes: z.int().check(z.gte(1), z.lte(limits.contentPieceBytes)),
});

/** Leaves a session without ending it. */
export const detach = z.object({ type: z.literal('detach'), ...request });

/** Words that a guest would have somebody send. */
export const suggestPrompt = z.object({ type: z.literal('suggest_prompt'), ...request, text: promptText });
/** What becomes of a guest's suggestion. */
export const suggestionDecision = z.object({
  type: z.literal('suggestion_decision'),
  ...request,
  id: blockId,
  approve: z.boolean(),
});

/** Gives the session another title. */
export const rename = z.object({
  type: z.literal('rename'),
  ...request,
  title: title.check(z.minLength(1)),
});
