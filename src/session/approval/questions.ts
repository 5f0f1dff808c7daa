import { fail, ok, type Result } from '../../../core/base/result.ts';
import type { QuestionBlock, ResolvedBy } from '../../../core/protocol/block/approvalBlocks.ts';
import type { ErrorCode } from '../../../core/protocol/errorCode.ts';
import type { BlockId, TurnId } from '../../../core/protocol/ids.ts';
import type { AskedQuestion, QuestionAnswer, RunningAgent } from '../../adapters/agent.ts';
import type { Actor } from '../actor.ts';
import { refusedProposalText } from '../agentText.ts';
import type { SessionRecord } from '../sessionRecord.ts';

/** What a session's agent wants to know. Nothing answers but a person. */
export class Questions {
  readonly #record: SessionRecord;
  readonly #agent: () => RunningAgent | undefined;

  /** @param agent the one that runs now */
  constructor(record: SessionRecord, agent: () => RunningAgent | undefined) {
    this.#record = record;
    this.#agent = agent;
  }

  /** Puts a question to the people who may answer it; tells the agent that nobody does when it cannot be told. */
  ask(question: AskedQuestion, turn: TurnId | undefined, isRereading: boolean): void {
    const isUsed = this.#record.state.requests.has(question.id);
    if (turn !== undefined && isUsed && isRereading && this.#record.isKnown(this.#blockOf(question, turn))) {
      this.answerAgain(question);
      return;
    }
    if (turn !== undefined && !isUsed && this.#record.append(this.#blockOf(question, turn))) {
      this.#record.journal.flush();
      return;
    }
    this.#record.appendError('agent_failed', refusedProposalText, turn);
    this.#agent()?.answerQuestion?.(question.id, undefined);
  }

  /** Answers a question. The first valid answer wins; any later one is stale. */
  answer(id: BlockId, answer: QuestionAnswer, actor: Actor): Result<void, ErrorCode> {
    if (!this.#record.isOurs) return fail('not_owner');
    const agent = this.#agent();
    const question = this.#record.state.questions.find(each => each.id === id);
    if (question === undefined || agent === undefined) return fail('stale_question');
    if (!fits(question, answer)) return fail('invalid_request');
    const name = actor.name === undefined ? {} : { by_name: actor.name };
    const given = 'custom' in answer ? { custom: answer.custom } : { selected: [...answer.selected] };
    if (!this.#resolve(question, { answered: true, by: actor.kind, ...name, ...given }))
      return fail('internal');
    this.#record.journal.flush();
    agent.answerQuestion?.(id, answer);
    return ok(undefined);
  }

  /** Only for the very question that was answered. */
  answerAgain(question: AskedQuestion): void {
    const given = this.#record.state.questionAnswers.get(question.id);
    if (given?.text === question.text) this.#agent()?.answerQuestion?.(question.id, given.answer);
  }

  /** The agent took a question back; what was answered already stays answered. */
  withdraw(id: BlockId): void {
    const question = this.#record.state.questions.find(each => each.id === id);
    if (question !== undefined) this.#resolve(question, { answered: false, by: 'terminal' });
  }

  #resolve(
    { id, turn_id }: QuestionBlock,
    outcome: {
      readonly answered: boolean;
      readonly by: ResolvedBy;
      readonly by_name?: string;
      readonly selected?: string[];
      readonly custom?: string;
    },
  ): boolean {
    return this.#record.append({ type: 'question_resolved', ts: this.#record.now, turn_id, id, ...outcome });
  }

  #blockOf(question: AskedQuestion, turn_id: TurnId): QuestionBlock {
    return { type: 'question', ts: this.#record.now, turn_id, ...question };
  }
}

/** Only options that were offered, each once, and no more of them or other words than the question allows. */
function fits({ options, multiple, allow_custom }: QuestionBlock, answer: QuestionAnswer): boolean {
  if ('custom' in answer) return allow_custom;
  const { selected } = answer;
  const offered = new Set<string>(options.map(option => option.id));
  const isOnce = new Set(selected).size === selected.length && (multiple || selected.length === 1);
  return selected.length > 0 && isOnce && selected.every(id => offered.has(id));
}
