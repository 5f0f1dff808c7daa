import type { PermissionRequest, QuestionBlock } from '../../core/protocol/block/approvalBlocks.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import type { ReceivedBlock, UnrecognisedBlock } from '../../core/protocol/block/receivedBlock.ts';
import { blockId, type BlockId, type TurnId } from '../../core/protocol/ids.ts';
import type { BridgeMessage } from '../../core/protocol/message.ts';
import type { ReceivedSummary } from '../../core/protocol/windowState.ts';
import { ok, type Result } from '../../core/base/result.ts';
import { applyPatch } from '../../core/channel/applyPatch.ts';
import type { TextPatch } from '../../core/protocol/textPatch.ts';
import { unreachable } from '../../core/base/unreachable.ts';

export type ToolResult = Extract<Block, { type: 'tool_result' }>;
export type Diff = Extract<Block, { type: 'diff' }>;
export type Resolution = Extract<Block, { type: 'permission_resolved' }>;
export type QuestionResolution = Extract<Block, { type: 'question_resolved' }>;
/** A block with a place of its own in the transcript. The others belong to one of these. */
export type Entry =
  | Extract<
      Block,
      {
        type:
          | 'text'
          | 'thinking'
          | 'user_echo'
          | 'tool_call'
          | 'permission_request'
          | 'question'
          | 'diff'
          | 'session_end'
          | 'handoff_state'
          | 'plan'
          | 'progress'
          | 'subagent'
          | 'error';
      }
    >
  // Without a place in a turn: nobody knows what it says.
  | (UnrecognisedBlock & { readonly id: BlockId; readonly turn_id?: undefined });

/** A session as this phone knows it. Rebuilt from messages alone. */
export interface Conversation {
  /** The newest journal block that has arrived: where a resume goes on. */
  readonly seq: number;
  /** When that block was written, in Unix seconds; undefined when it is not known: it says which history this is. */
  readonly ts: number | undefined;
  readonly generation: number;
  /** Everything up to the present has been told once. */
  readonly complete: boolean;
  /** The oldest journal block that is known; what is older can be asked for. */
  readonly oldest: number;
  /** In order of first appearance. */
  readonly order: readonly BlockId[];
  /** The journal block in which each first appeared, as far as it is known. */
  readonly places: ReadonlyMap<BlockId, number>;
  /** Of texts that are told in patches: the newest one that was applied. */
  readonly revisions: ReadonlyMap<BlockId, number>;
  readonly entries: ReadonlyMap<BlockId, Entry>;
  /** By the id of the tool call. */
  readonly results: ReadonlyMap<BlockId, ToolResult>;
  /** By the id of the request. */
  readonly resolutions: ReadonlyMap<BlockId, Resolution>;
  /** By the id of the question. */
  readonly questionResolutions: ReadonlyMap<BlockId, QuestionResolution>;
  /** The turn that was told to stop, by whomever. */
  readonly stopping: TurnId | undefined;
  readonly agent: Extract<Block, { type: 'agent_info' }> | undefined;
  /** How freely the agent acts, as the machine last said; undefined for the strictest. */
  readonly mode: string | undefined;
  readonly summary: ReceivedSummary | undefined;
  /** A `seq` was left out or came twice. Must never happen; a reader that sees it starts over. */
  readonly broken: boolean;
}

export const emptyConversation: Conversation = {
  seq: 0,
  ts: undefined,
  generation: 0,
  complete: false,
  oldest: 1,
  order: [],
  places: new Map(),
  revisions: new Map(),
  entries: new Map(),
  results: new Map(),
  resolutions: new Map(),
  questionResolutions: new Map(),
  stopping: undefined,
  agent: undefined,
  mode: undefined,
  summary: undefined,
  broken: false,
};

type Told = Exclude<BridgeMessage, { kind: 'response' | 'window' }>;

/** @param digest SHA-256 of a text's UTF-8, in lower-case hex */
export function reduceConversation(
  state: Conversation,
  message: Told,
  digest: (text: string) => string,
): Conversation {
  switch (message.kind) {
    case 'event': {
      // What a reconnect tells again is known already.
      if (message.seq <= state.seq) return state;
      if (message.seq !== state.seq + 1) return { ...state, broken: true };
      const { seq, generation } = message;
      return { ...applyBlock(state, message.block), seq, ts: message.block.ts, generation };
    }
    case 'event_patch': {
      if (message.seq <= state.seq) return state;
      const patched = applyTextPatch(state, message.patch, digest);
      if (!patched.ok || message.seq !== state.seq + 1) return { ...state, broken: true };
      const { seq, generation } = message;
      return { ...patched.value, seq, ts: message.patch.ts, generation };
    }
    case 'live':
      return applyBlock(state, message.block);
    case 'patch': {
      const patched = applyTextPatch(state, message.patch, digest);
      if (patched.ok) return patched.value;
      // Without the revision before it: the text's event brings it whole.
      return patched.code === 'gap' ? state : { ...state, broken: true };
    }
    case 'history':
      return applyHistory(state, message.seq, message.block);
    case 'snapshot': {
      const { seq, generation, summary } = message;
      return { ...emptyConversation, seq, generation, summary, oldest: seq + 1 };
    }
    case 'replay_done':
      return {
        ...state,
        complete: true,
        summary: message.summary,
        broken: state.broken || message.up_to_seq !== state.seq,
      };
    case 'summary':
      return { ...state, summary: message.summary };
    case 'heartbeat':
      return message.last_seq === state.seq ? state : { ...state, broken: true };
  }
  return unreachable(message);
}

/** A repeated id replaces what stood there, and never moves it (requirement T29). */
function applyBlock(state: Conversation, block: ReceivedBlock): Conversation {
  switch (block.type) {
    case 'unrecognised':
      return withEntry(state, {
        ...block,
        id: block.id ?? blockId.parse(`unrecognised_${String(state.seq + 1)}`),
      });
    case 'agent_info':
      return { ...state, agent: block };
    case 'mode_changed':
      return { ...state, mode: block.mode };
    // The summary says the rest of it.
    case 'session_state':
      return block.stopping === undefined ? state : { ...state, stopping: block.turn_id };
    // Not drawn by this version.
    case 'bg_task':
    case 'session_summary':
    case 'usage':
    case 'model_list':
    case 'settings_changed':
    case 'terminal_open':
    case 'terminal_data':
    case 'terminal_exit':
    case 'stt_partial':
    case 'stt_final':
      return state;
    // On the way to the terminal: what comes of it is told next.
    case 'handoff_state':
      return block.state === 'releasing' ? state : withEntry(state, block);
    case 'tool_result':
      return { ...state, results: new Map(state.results).set(block.tool_call_id, block) };
    case 'permission_resolved':
      return { ...state, resolutions: new Map(state.resolutions).set(block.id, block) };
    case 'question_resolved': {
      const questionResolutions = new Map(state.questionResolutions).set(block.id, block);
      return { ...state, questionResolutions };
    }
    case 'text':
    case 'thinking':
    case 'tool_call':
    case 'permission_request':
    case 'question':
    case 'diff':
    case 'user_echo':
    case 'plan':
    case 'progress':
    case 'subagent':
    case 'session_end':
    case 'error':
      return withEntry(state, block);
  }
  return unreachable(block);
}

/** It is in the next journal block, or will be. */
function withEntry(state: Conversation, entry: Entry): Conversation {
  const entries = new Map(state.entries).set(entry.id, entry);
  if (state.entries.has(entry.id)) return { ...state, entries };
  const places = new Map(state.places).set(entry.id, state.seq + 1);
  return { ...state, entries, places, order: [...state.order, entry.id] };
}

/** The text as the patch makes it, in place of what stood there (requirement T29). */
function applyTextPatch(
  state: Conversation,
  patch: TextPatch,
  digest: (text: string) => string,
): Result<Conversation, 'gap' | 'damaged'> {
  const { id, type, ts, turn_id, done } = patch;
  const entry = state.entries.get(id);
  const rev = state.revisions.get(id);
  const isText = entry?.type === 'text' || entry?.type === 'thinking';
  const known = isText && rev !== undefined ? { rev, text: entry.text } : undefined;
  const patched = applyPatch(known, patch, digest);
  if (!patched.ok) return patched;
  const turn = turn_id === undefined ? {} : { turn_id };
  const parent = isText && entry.parent_id !== undefined ? { parent_id: entry.parent_id } : {};
  const next = withEntry(state, { type, id, ts, ...turn, ...parent, text: patched.value.text, done });
  const revisions = new Map(state.revisions);
  if (done) revisions.delete(id);
  else revisions.set(id, patched.value.rev);
  return ok({ ...next, revisions });
}

/** An older block, told newest first: it takes its place, and changes nothing of what is newer. */
function applyHistory(state: Conversation, seq: number, block: ReceivedBlock): Conversation {
  if (seq !== state.oldest - 1) return state;
  const before = applyBlock({ ...emptyConversation, seq: seq - 1 }, block);
  const entries = new Map([...before.entries, ...state.entries]);
  const results = new Map([...before.results, ...state.results]);
  const resolutions = new Map([...before.resolutions, ...state.resolutions]);
  const questionResolutions = new Map([...before.questionResolutions, ...state.questionResolutions]);
  const [id] = before.order;
  const agent = state.agent ?? before.agent;
  const told = { ...state, oldest: seq, entries, results, resolutions, questionResolutions, agent };
  return id === undefined ? told : placed(told, id, seq);
}

function placed(state: Conversation, id: BlockId, seq: number): Conversation {
  const rest = state.order.filter(other => other !== id);
  const at = rest.findIndex(other => (state.places.get(other) ?? 0) > seq);
  const order = at < 0 ? [...rest, id] : rest.toSpliced(at, 0, id);
  return { ...state, order, places: new Map(state.places).set(id, seq) };
}

/** Where a resume goes on, and of which history that is. Who knows nothing yet says nothing of it. */
export function cursorOf({ seq, ts, generation }: Conversation): {
  readonly since_seq: number;
  readonly since_ts?: number;
  readonly generation?: number;
} {
  if (seq === 0) return { since_seq: 0 };
  return { since_seq: seq, generation, ...(ts === undefined ? {} : { since_ts: ts }) };
}

/** Requests that wait for an answer, oldest first. */
export function pendingRequests(state: Conversation): readonly PermissionRequest[] {
  return state.order.flatMap(id => {
    const entry = state.entries.get(id);
    return entry?.type === 'permission_request' && !state.resolutions.has(id) ? [entry] : [];
  });
}

/** Questions that wait for an answer, oldest first. */
export function pendingQuestions(state: Conversation): readonly QuestionBlock[] {
  return state.order.flatMap(id => {
    const entry = state.entries.get(id);
    return entry?.type === 'question' && !state.questionResolutions.has(id) ? [entry] : [];
  });
}
