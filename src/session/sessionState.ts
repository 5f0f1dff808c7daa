import { shorten } from '../../core/base/cutText.ts';
import { unreachable } from '../../core/base/unreachable.ts';
import type { PermissionRequest, QuestionBlock } from '../../core/protocol/block/approvalBlocks.ts';
import type { ModelList, SettingsChanged, UsageBlock } from '../../core/protocol/block/agentBlocks.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import type { ConversationOwner, HandoffState } from '../../core/protocol/block/sessionBlocks.ts';
import type { TextBlock, ThinkingBlock } from '../../core/protocol/block/textBlocks.ts';
import type { PlanBlock, SubagentBlock, ToolCallBlock } from '../../core/protocol/block/toolBlocks.ts';
import type { BlockId, TurnId } from '../../core/protocol/ids.ts';
import type { QuestionAnswer } from '../adapters/agent.ts';
import { GrowingMap } from './growingMap.ts';
import { PromptLedger } from './promptLedger.ts';
import { noRefusals, reduceRefusals, type Refusals } from './refusals.ts';
import { parseMode, type SessionMode } from './approval/sessionMode.ts';

/** What a journal amounts to. Derived from its blocks alone, so that a restart and a reader agree. */
export interface SessionState {
  readonly title: string | undefined;
  readonly updatedAt: number;
  /** The turn that has begun and not ended. */
  readonly turn: TurnId | undefined;
  /** It was told to stop. */
  readonly stopping: boolean;
  /** Requests without an answer, oldest first. */
  readonly pending: readonly PermissionRequest[];
  /** Questions without an answer, oldest first. */
  readonly questions: readonly QuestionBlock[];
  /** What the questions of the running turn were answered with. */
  readonly questionAnswers: ReadonlyMap<BlockId, { readonly text: string; readonly answer: QuestionAnswer }>;
  /** Calls without a result. */
  readonly openCalls: ReadonlyMap<BlockId, ToolCallBlock>;
  /** Agents that the agent called and that have not ended. */
  readonly openAgents: ReadonlyMap<BlockId, SubagentBlock>;
  /** What the agent means to do, as it last said. */
  readonly plan: PlanBlock | undefined;
  /** The models that the agent offers. */
  readonly models: ModelList | undefined;
  /** How the agent is to work, as was chosen. */
  readonly chosen: Pick<SettingsChanged, 'model' | 'effort' | 'agent_mode'>;
  /** What the conversation has used so far. */
  readonly usage: UsageBlock | undefined;
  /** Texts whose end has not been written, in the last form that was. */
  readonly openTexts: ReadonlyMap<BlockId, TextBlock | ThinkingBlock>;
  readonly prompts: PromptLedger;
  /** Ids of every request and question so far: an id names one of them, once. */
  readonly requests: GrowingMap<BlockId, true>;
  /** What the requests of the running turn were answered with. */
  readonly answers: ReadonlyMap<BlockId, GivenAnswer>;
  readonly agent: AgentInfo | undefined;
  readonly handoff: HandoffState['state'];
  readonly owner: ConversationOwner;
  /** How freely the agent acts. */
  readonly mode: SessionMode;
  readonly refusals: Refusals;
  /** The conversation was ended; nothing more is taken. */
  readonly ended: boolean;
}

/** An answer, and the action that it is for. */
export interface GivenAnswer {
  readonly turn_id: TurnId;
  readonly digest: string;
  readonly optionId: string;
}

type AgentInfo = Extract<Block, { type: 'agent_info' }>;

export const emptySessionState: SessionState = {
  title: undefined,
  updatedAt: 0,
  turn: undefined,
  stopping: false,
  pending: [],
  questions: [],
  questionAnswers: new Map(),
  openCalls: new Map(),
  openAgents: new Map(),
  plan: undefined,
  models: undefined,
  chosen: {},
  usage: undefined,
  openTexts: new Map(),
  prompts: PromptLedger.empty,
  requests: GrowingMap.of(),
  answers: new Map(),
  agent: undefined,
  handoff: 'live',
  owner: 'bridge',
  mode: 'ask',
  refusals: noRefusals,
  ended: false,
};

const titleChars = 80;

export function reduceSession(state: SessionState, block: Block): SessionState {
  const isNew = block.type === 'user_echo' && !state.prompts.has(block.client_msg_id);
  const refusals = reduceRefusals(state.refusals, block, isNew);
  const next = { ...state, updatedAt: block.ts, turn: block.turn_id ?? state.turn, refusals };
  switch (block.type) {
    case 'user_echo': {
      const prompts = state.prompts.with(block);
      const title = state.title ?? titleOf(block.text);
      return block.state === 'not_delivered' ? { ...next, prompts } : { ...next, prompts, title };
    }
    case 'tool_call': {
      const openCalls = new Map(state.openCalls);
      if (block.status === 'running') openCalls.set(block.id, block);
      return { ...next, openCalls };
    }
    case 'tool_result': {
      const openCalls = new Map(state.openCalls);
      openCalls.delete(block.tool_call_id);
      return { ...next, openCalls };
    }
    case 'permission_request':
      return {
        ...next,
        pending: [...state.pending, block],
        requests: state.requests.with(block.id, true),
      };
    case 'permission_resolved': {
      // A later word takes the place of an answer that could not be kept.
      const request =
        state.pending.find(candidate => candidate.id === block.id) ?? state.answers.get(block.id);
      const pending = state.pending.filter(candidate => candidate.id !== block.id);
      if (block.option_id === undefined || request === undefined)
        return { ...next, pending, answers: without(state.answers, block.id) };
      const { turn_id, digest } = request;
      const answer = { turn_id, digest, optionId: block.option_id };
      return { ...next, pending, answers: new Map(state.answers).set(block.id, answer) };
    }
    case 'question':
      return {
        ...next,
        questions: [...state.questions, block],
        requests: state.requests.with(block.id, true),
      };
    case 'question_resolved': {
      const question = state.questions.find(candidate => candidate.id === block.id);
      const questions = state.questions.filter(candidate => candidate.id !== block.id);
      const { selected, custom } = block;
      const answer = custom !== undefined ? { custom } : selected !== undefined ? { selected } : undefined;
      // A later word takes the place of an answer that could not be kept.
      if (answer === undefined || question === undefined)
        return { ...next, questions, questionAnswers: without(state.questionAnswers, block.id) };
      const { text } = question;
      const questionAnswers = new Map(state.questionAnswers).set(block.id, { text, answer });
      return { ...next, questions, questionAnswers };
    }
    case 'session_end':
      return {
        ...next,
        turn: undefined,
        stopping: false,
        pending: [],
        questions: [],
        questionAnswers: new Map(),
        openCalls: new Map(),
        openAgents: new Map(),
        openTexts: new Map(),
        answers: new Map(),
      };
    case 'session_state':
      return {
        ...next,
        ended: next.ended || block.activity === 'ended',
        stopping: next.stopping || block.stopping !== undefined,
      };
    case 'agent_info':
      return { ...next, agent: block };
    case 'handoff_state':
      return { ...next, handoff: block.state, owner: block.owner };
    case 'mode_changed':
      // One that this version does not know may be narrower than any other.
      return { ...next, mode: parseMode(block.mode) ?? 'ask' };
    case 'text':
    case 'thinking': {
      const openTexts = new Map(state.openTexts);
      if (block.done) openTexts.delete(block.id);
      else openTexts.set(block.id, block);
      return { ...next, openTexts };
    }
    case 'subagent': {
      const openAgents = new Map(state.openAgents);
      if (block.status === 'running') openAgents.set(block.id, block);
      else openAgents.delete(block.id);
      return { ...next, openAgents };
    }
    case 'plan':
      // A sub-agent's is its own.
      return block.parent_id === undefined ? { ...next, plan: block } : next;
    case 'usage':
      return { ...next, usage: block };
    case 'model_list':
      return { ...next, models: block };
    case 'settings_changed':
      return { ...next, chosen: chosenWith(state.chosen, block) };
    case 'diff':
    case 'error':
    case 'progress':
    case 'bg_task':
    case 'session_summary':
    case 'terminal_open':
    case 'terminal_data':
    case 'terminal_exit':
    case 'stt_partial':
    case 'stt_final':
      return next;
  }
  return unreachable(block);
}

function chosenWith(
  chosen: SessionState['chosen'],
  { model = chosen.model, effort = chosen.effort, agent_mode = chosen.agent_mode }: SettingsChanged,
): SessionState['chosen'] {
  return {
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(agent_mode === undefined ? {} : { agent_mode }),
  };
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  return map.has(key) ? new Map([...map].filter(([each]) => each !== key)) : map;
}

function titleOf(text: string): string {
  return shorten(text.trim().replaceAll(/\s+/gu, ' '), titleChars);
}
