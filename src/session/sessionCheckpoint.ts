import * as z from 'zod/mini';
import { agentInfo, modelList, settingsChanged, usageBlock } from '../../core/protocol/block/agentBlocks.ts';
import { permissionRequest, questionBlock } from '../../core/protocol/block/approvalBlocks.ts';
import { errorBlock, handoffState } from '../../core/protocol/block/sessionBlocks.ts';
import { textBlock, thinkingBlock, userEcho } from '../../core/protocol/block/textBlocks.ts';
import { planBlock, subagentBlock, toolCall } from '../../core/protocol/block/toolBlocks.ts';
import { blockId, turnId, type TurnId } from '../../core/protocol/ids.ts';
import { sessionModes } from './approval/sessionMode.ts';
import { GrowingMap } from './growingMap.ts';
import { outputPlace, type OutputPlace } from './journalEntry.ts';
import { PromptLedger } from './promptLedger.ts';
import type { RecentForms } from './recentForms.ts';
import type { SessionState } from './sessionState.ts';

/** A line of the agent's output, by the last entry that was made of it. */
export interface LastLine extends OutputPlace {
  readonly endedTurn: boolean;
  /** The turn that the entry is of; undefined outside of turns. */
  readonly turn?: TurnId | undefined;
  /** When it was said, in Unix seconds. */
  readonly ts?: number | undefined;
}

/** What the entries of a journal come to. */
export interface JournalContent {
  readonly state: SessionState;
  readonly known: RecentForms;
  /** The last line of the agent's output that is in the journal, and whether it ended a turn. */
  readonly lastLine: LastLine | undefined;
  /** Where in the agent's own record its present life in a terminal began. */
  readonly mirroredFrom: OutputPlace | undefined;
}

const questionAnswer = z.union([
  z.strictObject({ selected: z.array(z.string()) }),
  z.strictObject({ custom: z.string() }),
]);

/** What a checkpoint keeps: everything that `reduceSession` goes on from, and what was written last. */
export const sessionCheckpoint = z.object({
  /** To be raised whenever the same blocks come to another state than before: older ones are read anew then. */
  version: z.literal(4),
  title: z.optional(z.string()),
  updated_at: z.number(),
  turn: z.optional(turnId),
  stopping: z.boolean(),
  pending: z.array(permissionRequest),
  questions: z.array(questionBlock),
  question_answers: z.array(z.object({ id: blockId, text: z.string(), answer: questionAnswer })),
  open_calls: z.array(toolCall),
  open_agents: z.array(subagentBlock),
  plan: z.optional(planBlock),
  models: z.optional(modelList),
  chosen: z.pick(settingsChanged, { model: true, effort: true, agent_mode: true }),
  usage: z.optional(usageBlock),
  open_texts: z.array(z.discriminatedUnion('type', [textBlock, thinkingBlock])),
  prompts: z.array(userEcho),
  urgent_prompts: z.array(z.string()),
  prompt_digests: z.array(z.tuple([z.string(), z.string()])),
  requests: z.array(blockId),
  answers: z.array(z.object({ id: blockId, turn_id: turnId, digest: z.string(), option_id: z.string() })),
  agent: z.optional(agentInfo),
  handoff: handoffState.shape.state,
  owner: handoffState.shape.owner,
  mode: z.enum(sessionModes),
  refusals: z.object({
    trouble: z.optional(z.object({ code: errorBlock.shape.code, until: z.number() })),
    count: z.int(),
    paused_until: z.number(),
    held: z.boolean(),
  }),
  ended: z.boolean(),
  forms: z.array(z.string()),
  last_line: z.optional(
    z.extend(outputPlace, { ended_turn: z.boolean(), turn: z.optional(turnId), ts: z.optional(z.number()) }),
  ),
  mirrored_from: z.optional(outputPlace),
});
type SessionCheckpoint = z.infer<typeof sessionCheckpoint>;

export function toSessionCheckpoint(content: JournalContent): SessionCheckpoint {
  const { state, known, lastLine, mirroredFrom } = content;
  return {
    version: 4,
    title: state.title,
    updated_at: state.updatedAt,
    turn: state.turn,
    stopping: state.stopping,
    pending: [...state.pending],
    questions: [...state.questions],
    question_answers: Array.from(state.questionAnswers, ([id, { text, answer }]) => ({
      id,
      text,
      answer: 'custom' in answer ? answer : { selected: [...answer.selected] },
    })),
    open_calls: [...state.openCalls.values()],
    open_agents: [...state.openAgents.values()],
    plan: state.plan,
    models: state.models,
    chosen: { ...state.chosen },
    usage: state.usage,
    open_texts: [...state.openTexts.values()],
    prompts: [...state.prompts.held],
    urgent_prompts: [...state.prompts.urgent],
    prompt_digests: state.prompts.digests.map(([id, digest]) => [id, digest]),
    requests: Array.from(state.requests.entries(), ([id]) => id),
    answers: Array.from(state.answers, ([id, { turn_id, digest, optionId }]) => ({
      id,
      turn_id,
      digest,
      option_id: optionId,
    })),
    agent: state.agent,
    handoff: state.handoff,
    owner: state.owner,
    mode: state.mode,
    refusals: {
      trouble: state.refusals.trouble,
      count: state.refusals.count,
      paused_until: state.refusals.pausedUntil,
      held: state.refusals.isHeld,
    },
    ended: state.ended,
    forms: [...known.forms],
    last_line: lastLine && {
      source: lastLine.source,
      end: lastLine.end,
      ended_turn: lastLine.endedTurn,
      turn: lastLine.turn,
      ts: lastLine.ts,
    },
    mirrored_from: mirroredFrom,
  };
}

export function stateOfCheckpoint(saved: SessionCheckpoint): SessionState {
  return {
    title: saved.title,
    updatedAt: saved.updated_at,
    turn: saved.turn,
    stopping: saved.stopping,
    pending: saved.pending,
    questions: saved.questions,
    questionAnswers: new Map(saved.question_answers.map(({ id, text, answer }) => [id, { text, answer }])),
    openCalls: new Map(saved.open_calls.map(call => [call.id, call])),
    openAgents: new Map(saved.open_agents.map(agent => [agent.id, agent])),
    plan: saved.plan,
    models: saved.models,
    chosen: saved.chosen,
    usage: saved.usage,
    openTexts: new Map(saved.open_texts.map(text => [text.id, text])),
    prompts: PromptLedger.of(saved.prompts, saved.urgent_prompts, saved.prompt_digests),
    requests: GrowingMap.of(saved.requests.map(id => [id, true] as const)),
    answers: new Map(
      saved.answers.map(({ id, turn_id, digest, option_id }) => [
        id,
        { turn_id, digest, optionId: option_id },
      ]),
    ),
    agent: saved.agent,
    handoff: saved.handoff,
    owner: saved.owner,
    mode: saved.mode,
    refusals: {
      trouble: saved.refusals.trouble,
      count: saved.refusals.count,
      pausedUntil: saved.refusals.paused_until,
      isHeld: saved.refusals.held,
    },
    ended: saved.ended,
  };
}
