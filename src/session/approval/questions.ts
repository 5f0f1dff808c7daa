import type { Clock } from '../../../core/base/clock.ts';
import type { Disposable } from '../../../core/base/disposable.ts';
import { fail, ok, type Result } from '../../../core/base/result.ts';
import type { QuestionBlock, ResolvedBy } from '../../../core/protocol/block/approvalBlocks.ts';
import type { ErrorCode } from '../../../core/protocol/errorCode.ts';
import type { BlockId, TurnId } from '../../../core/protocol/ids.ts';
import type { AskedQuestion, QuestionAnswer } from '../../adapters/agent.ts';
import type { Actor } from '../actor.ts';
import { refusedProposalText, unkeptAnswerText } from '../agentText.ts';
import type { SessionRecord } from '../sessionRecord.ts';
import type { AskingAgent } from './askingAgent.ts';
import { answerMs, ExpiryTimers } from './expiryTimers.ts';

/** What a session's agent wants to know. Nothing answers but a person; when nobody does for a day, the agent is told so. */
export class Questions implements Disposable {
  readonly #record: SessionRecord;
  readonly #agent: AskingAgent['agent'];
  readonly #isGoing: AskingAgent['isGoing'];
  readonly #timers: ExpiryTimers;
  readonly #observed: Disposable;

  constructor(record: SessionRecord, asking: AskingAgent, clock: Clock) {
    this.#record = record;
    this.#agent = asking.agent;
    this.#isGoing = asking.isGoing;
    this.#timers = new ExpiryTimers(clock, id => this.#expire(id));
    this.#observed = record.onDidUpdate(update => {
      if (update.type !== 'event') return;
      if (update.block.type === 'question') this.#timers.add(withExpiry(update.block));
      if (update.block.type === 'question_resolved') this.#timers.delete(update.block.id);
    });
  }

  /** Takes up what waits since before a restart. */
  resume(): void {
    for (const question of this.#record.state.questions) this.#timers.add(withExpiry(question));
  }

  dispose(): void {
    this.#observed.dispose();
    this.#timers.dispose();
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
    if (agent === undefined || this.#isGoing()) return fail('stale_question');
    // A machine that slept wakes up with its timers behind.
    const waiting = this.#waiting(id);
    if (waiting !== undefined && withExpiry(waiting).expires_at <= this.#record.now) this.#expire(id);
    const question = this.#waiting(id);
    if (question === undefined) return fail('stale_question');
    if (!fits(question, answer)) return fail('invalid_request');
    const name = actor.name === undefined ? {} : { by_name: actor.name };
    const given = 'custom' in answer ? { custom: answer.custom } : { selected: [...answer.selected] };
    if (!this.#resolve(question, { answered: true, by: actor.kind, ...name, ...given }))
      return fail('internal');
    try {
      this.#record.journal.flush();
    } catch {
      this.#takeBack(question);
      agent.answerQuestion?.(id, undefined);
      return fail('internal');
    }
    agent.answerQuestion?.(id, answer);
    return ok(undefined);
  }

  /** Says that an answer does not count after all: it could be written, and not for good. */
  #takeBack(question: QuestionBlock): void {
    try {
      this.#resolve(question, { answered: false, by: 'policy' });
      this.#record.appendError('internal', unkeptAnswerText(question.header), question.turn_id);
    } catch {
      // The agent is told all the same, and who answered that it did not work.
    }
  }

  #expire(id: BlockId): void {
    const question = this.#waiting(id);
    if (question === undefined) return;
    this.#resolve(question, { answered: false, by: 'timeout' });
    this.#agent()?.answerQuestion?.(id, undefined);
  }

  #waiting(id: BlockId): QuestionBlock | undefined {
    return this.#record.state.questions.find(each => each.id === id);
  }

  /** Only for the very question that was answered. */
  answerAgain(question: AskedQuestion): void {
    const given = this.#record.state.questionAnswers.get(question.id);
    if (given?.text === question.text) this.#agent()?.answerQuestion?.(question.id, given.answer);
  }

  /** The agent took a question back; what was answered already stays answered. */
  withdraw(id: BlockId): void {
    const question = this.#waiting(id);
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

/** `expires_at` in Unix seconds. */
function withExpiry({ id, ts }: QuestionBlock): { readonly id: BlockId; readonly expires_at: number } {
  return { id, expires_at: ts + answerMs / 1_000 };
}

/** Only options that were offered, each once, and no more of them or other words than the question allows. */
function fits({ options, multiple, allow_custom }: QuestionBlock, answer: QuestionAnswer): boolean {
  if ('custom' in answer) return allow_custom;
  const { selected } = answer;
  const offered = new Set<string>(options.map(option => option.id));
  const isOnce = new Set(selected).size === selected.length && (multiple || selected.length === 1);
  return selected.length > 0 && isOnce && selected.every(id => offered.has(id));
}
