import * as z from 'zod/mini';

const text = z.string();
const optionalText = z.optional(z.nullable(z.string()));

/** Of an answer to a permission request. */
export const answeredBehavior = z.object({ behavior: text });

export const contentBlock = z.object({
  type: text,
  text: z.optional(text),
  thinking: z.optional(text),
  /** Of a `tool_use`. */
  id: z.optional(text),
  name: z.optional(text),
  input: z.optional(z.unknown()),
  /** Of a `tool_result`. */
  tool_use_id: z.optional(text),
  content: z.optional(z.unknown()),
  is_error: z.optional(z.nullable(z.boolean())),
});
export type ContentBlock = z.infer<typeof contentBlock>;

const streamEvent = z.object({
  type: z.literal('stream_event'),
  parent_tool_use_id: optionalText,
  event: z.object({
    type: text,
    message: z.optional(z.object({ id: text, usage: z.optional(z.unknown()) })),
    usage: z.optional(z.unknown()),
    index: z.optional(z.int()),
    content_block: z.optional(z.object({ type: text, text: z.optional(text), thinking: z.optional(text) })),
    delta: z.optional(
      z.object({ type: z.optional(text), text: z.optional(text), thinking: z.optional(text) }),
    ),
  }),
});

const assistant = z.object({
  type: z.literal('assistant'),
  parent_tool_use_id: optionalText,
  uuid: z.optional(text),
  message: z.object({ id: text, content: z.array(contentBlock) }),
  /** Set where Claude Code itself speaks of a failure: `authentication_failed`, `rate_limit`, … */
  error: optionalText,
});

const user = z.object({
  type: z.literal('user'),
  parent_tool_use_id: optionalText,
  message: z.object({ content: z.union([text, z.array(contentBlock)]) }),
  isReplay: z.optional(z.boolean()),
  isSynthetic: z.optional(z.boolean()),
  tool_use_result: z.optional(z.unknown()),
});

const result = z.object({
  type: z.literal('result'),
  subtype: text,
  uuid: z.optional(text),
  is_error: z.optional(z.boolean()),
  terminal_reason: optionalText,
  api_error_status: z.optional(z.nullable(z.int())),
  result: optionalText,
  errors: z.optional(z.array(text)),
  /** Figures, which are read for themselves: a turn ends whatever they are. */
  usage: z.optional(z.unknown()),
  modelUsage: z.optional(z.unknown()),
  /** Newer versions only. */
  model_usage_since_last_result: z.optional(z.unknown()),
  total_cost_usd: z.optional(z.unknown()),
  /** What began the turn, when it was not a prompt. */
  origin: z.optional(z.nullable(z.object({ kind: text }))),
});
export type ResultFrame = z.infer<typeof result>;

const system = z.object({
  type: z.literal('system'),
  subtype: text,
  session_id: z.optional(text),
  uuid: z.optional(text),
  /** Of an `init`: who answers, and in which version it runs. */
  model: optionalText,
  claude_code_version: optionalText,
  /** Of an `init`, and of a `status` when it changes: its own mode. */
  permissionMode: optionalText,
  /** Of an `api_retry`: the request failed, and is made again after a while. */
  attempt: z.optional(z.int().check(z.gte(0))),
  max_retries: z.optional(z.int().check(z.gte(0))),
  retry_delay_ms: z.optional(z.number().check(z.gte(0))),
  error_status: z.optional(z.nullable(z.int())),
  error: optionalText,
  /** Of a `status`: what it does (`compacting`), how that went, and how freely it acts from now on. */
  status: optionalText,
  compact_result: optionalText,
  compact_error: optionalText,
  /** Of a `compact_boundary`, in tokens; older versions do not tell `post_tokens`. */
  compact_metadata: z.optional(
    z.object({ pre_tokens: z.optional(z.number()), post_tokens: z.optional(z.number()) }),
  ),
});
export type SystemFrame = z.infer<typeof system>;

const toolRequest = z.object({
  subtype: z.literal('can_use_tool'),
  tool_name: text,
  input: z.record(text, z.json()),
  tool_use_id: z.optional(text),
  permission_suggestions: z.optional(z.nullable(z.array(z.record(text, z.json())))),
  /** Why it asks, when its own rules say so: a rule or hook of the user, a path that it holds back. */
  decision_reason_type: z.optional(z.nullable(text)),
  blocked_path: z.optional(z.nullable(text)),
});
export type ToolRequest = z.infer<typeof toolRequest>;

const controlRequest = z.object({
  type: z.literal('control_request'),
  request_id: text,
  request: z.union([toolRequest, z.object({ subtype: text })]),
});

/** Both answers to what we asked and, with `--replay-user-messages`, our own answers said back. */
const controlResponse = z.object({
  type: z.literal('control_response'),
  response: z.object({
    request_id: text,
    response: z.optional(z.unknown()),
    error: optionalText,
  }),
});

/** How much of a plan's limit is used up. */
const rateLimit = z.object({ type: z.literal('rate_limit_event'), rate_limit_info: z.optional(z.unknown()) });

const controlCancel = z.object({ type: z.literal('control_cancel_request'), request_id: text });

/**
 * What Claude Code says with `--output-format stream-json`, one JSON object a line. Only what is used here; the rest and
 * every other type are passed over, since versions differ. Seen in 2.1.197 and 2.1.332.
 */
export const claudeFrame = z.discriminatedUnion('type', [
  streamEvent,
  assistant,
  user,
  result,
  system,
  controlRequest,
  controlResponse,
  controlCancel,
  rateLimit,
]);
export type ClaudeFrame = z.infer<typeof claudeFrame>;
export type ControlResponse = z.infer<typeof controlResponse>['response'];
export type StreamEvent = z.infer<typeof streamEvent>;
export type AssistantFrame = z.infer<typeof assistant>;
export type UserFrame = z.infer<typeof user>;
