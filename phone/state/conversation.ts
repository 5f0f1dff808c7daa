import type { Block, PermissionRequest } from '../../core/protocol/block.ts';
import type { BlockId } from '../../core/protocol/ids.ts';
import type { BridgeMessage, ResponseMessage, SessionSummary } from '../../core/protocol/message.ts';
import { unreachable } from '../../core/base/unreachable.ts';

export type ToolResult = Extract<Block, { type: 'tool_result' }>;
export type Diff = Extract<Block, { type: 'diff' }>;
export type Resolution = Extract<Block, { type: 'permission_resolved' }>;
/** A block with a place of its own in the transcript. The others belong to one of these. */
export type Entry = Exclude<Block, ToolResult | Resolution | { type: 'agent_info' | 'session_state' }>;

/** A session as this phone knows it. Rebuilt from messages alone. */
export interface Conversation {
  /** The newest journal block that has arrived: where a resume goes on. */
  readonly seq: number;
  readonly generation: number;
  /** Everything up to the present has been told once. */
  readonly complete: boolean;
  /** In order of first appearance. */
  readonly order: readonly BlockId[];
  readonly entries: ReadonlyMap<BlockId, Entry>;
  /** By the id of the tool call. */
  readonly results: ReadonlyMap<BlockId, ToolResult>;
  /** By the id of the request. */
  readonly resolutions: ReadonlyMap<BlockId, Resolution>;
  readonly agent: Extract<Block, { type: 'agent_info' }> | undefined;
  readonly summary: SessionSummary | undefined;
  /** A `seq` was left out or came twice. Must never happen; a reader that sees it starts over. */
  readonly broken: boolean;
}

export const emptyConversation: Conversation = {
  seq: 0,
  generation: 0,
  complete: false,
  order: [],
  entries: new Map(),
  results: new Map(),
  resolutions: new Map(),
  agent: undefined,
  summary: undefined,
  broken: false,
};

type Told = Exclude<BridgeMessage, ResponseMessage | { kind: 'window' }>;

export function reduceConversation(state: Conversation, message: Told): Conversation {
  switch (message.kind) {
    case 'event': {
      // What a reconnect tells again is known already.
      if (message.seq <= state.seq) return state;
      if (message.seq !== state.seq + 1) return { ...state, broken: true };
      const { seq, generation } = message;
      return applyBlock({ ...state, seq, generation }, message.block);
    }
    case 'live':
      return applyBlock(state, message.block);
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
function applyBlock(state: Conversation, block: Block): Conversation {
  switch (block.type) {
    case 'agent_info':
      return { ...state, agent: block };
    // The summary says it too.
    case 'session_state':
      return state;
    // On the way to the terminal: what comes of it is told next.
    case 'handoff_state':
      return block.state === 'releasing' ? state : withEntry(state, block);
    case 'tool_result':
      return { ...state, results: new Map(state.results).set(block.tool_call_id, block) };
    case 'permission_resolved':
      return { ...state, resolutions: new Map(state.resolutions).set(block.id, block) };
    case 'text':
    case 'thinking':
    case 'tool_call':
    case 'permission_request':
    case 'diff':
    case 'user_echo':
    case 'session_end':
    case 'error':
      return withEntry(state, block);
  }
  return unreachable(block);
}

function withEntry(state: Conversation, entry: Entry): Conversation {
  const order = state.entries.has(entry.id) ? state.order : [...state.order, entry.id];
  return { ...state, order, entries: new Map(state.entries).set(entry.id, entry) };
}

/** Requests that wait for an answer, oldest first. */
export function pendingRequests(state: Conversation): readonly PermissionRequest[] {
  return state.order.flatMap(id => {
    const entry = state.entries.get(id);
    return entry?.type === 'permission_request' && !state.resolutions.has(id) ? [entry] : [];
  });
}
