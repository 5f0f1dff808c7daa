import type { Disposable } from '../../core/base/disposable.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import { turnId } from '../../core/protocol/ids.ts';
import type { AgentEvent, RunningAgent } from '../adapters/agent.ts';
import type { Approvals, AskEvent } from './approval/approvals.ts';
import { withdrawRequests, type TurnEnd } from './closeTurn.ts';
import type { LifeCycle } from './lifeCycle.ts';
import { OfferedPrompt } from './offeredPrompt.ts';
import { recordDeskPrompt } from './recordEvent.ts';
import type { SessionPorts } from './sessionPorts.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** Begins turns, puts their requests to people, and ends each once. Which turn runs, the journal says. */
export class TurnRunner implements Disposable {
  readonly #record: SessionRecord;
  readonly #life: LifeCycle;
  readonly #ports: Pick<SessionPorts, 'uniqueId'>;
  readonly #approvals: Approvals;
  readonly #offered: OfferedPrompt;
  readonly #observed: Disposable;

  constructor(
    record: SessionRecord,
    life: LifeCycle,
    approvals: Approvals,
    ports: Pick<SessionPorts, 'uniqueId' | 'clock'>,
  ) {
    this.#record = record;
    this.#life = life;
    this.#approvals = approvals;
    this.#ports = ports;
    this.#offered = new OfferedPrompt(record, ports.clock);
    this.#observed = record.onDidUpdate(update => {
      if (update.type === 'event' && isOfRequest(update.block)) this.#observeRequests();
    });
  }

  /** Gives the agent the prompt that goes next. */
  begin(agent: RunningAgent): void {
    const turn = turnId.parse(`turn_${this.#ports.uniqueId()}`);
    const text = this.#offered.offer(turn);
    if (text === undefined) return;
    this.#life.advance('prompt');
    agent.send(turn, text);
  }

  /** A prompt of the desk: it begins a turn, or belongs to the one that runs. */
  beginAtDesk(prompt: Extract<AgentEvent, { type: 'desk_prompt' }>): void {
    const { turn } = this.#record.state;
    if (recordDeskPrompt(this.#record, prompt, turn) !== turn) this.#life.advance('prompt');
  }

  /** Takes up what the journal says was under way with an agent that has been running all along. */
  takeUp(): void {
    if (this.#record.state.turn !== undefined) this.#life.advance('prompt');
    this.#observeRequests();
  }

  /** Until when a prompt may be on its way that was so when the editor went. */
  awaitAcceptance(onNeverAccepted: () => void): void {
    this.#offered.awaitAcceptance(onNeverAccepted);
  }

  accept(): void {
    this.#offered.accept();
  }

  /**
   * Puts a proposal or a question to people. One that comes while the turn is being stopped is put to nobody: it has not
   * begun, and will not (requirement M38).
   */
  ask(event: AskEvent, isRereading: boolean): void {
    if (this.#life.isStopping || this.#life.isOver) this.#approvals.turnAway(event);
    else this.#approvals.take(event, this.#record.state.turn, isRereading);
  }

  /** What is outstanding decides whether a turn streams or waits (requirement M46). */
  #observeRequests(): void {
    const { pending, questions } = this.#record.state;
    const isAsked = pending.length > 0 || questions.length > 0;
    if (isAsked === this.#life.isWaiting || !this.#life.isExecuting) return;
    this.#life.advance(isAsked ? 'ask' : 'answer');
  }

  /** Takes back every request that waits. */
  withdrawRequests(): void {
    this.#record.appendAll(withdrawRequests(this.#record.state, 'interrupt', this.#record.now));
  }

  /** @returns false when the journal knows of no turn that runs */
  close(reason: TurnEnd['reason'], outcome: TurnEnd['outcome']): boolean {
    const { turn } = this.#record.state;
    if (turn === undefined) return false;
    // The agent's record shows nothing of a prompt that it was given: whether it read it, nobody can say.
    this.#offered.reject();
    this.#record.appendTurnEnd({ turn, reason, outcome });
    this.#record.announceChange();
    return true;
  }

  dispose(): void {
    this.#observed.dispose();
    this.#offered.dispose();
  }
}

function isOfRequest({ type }: Block): boolean {
  return (
    type === 'permission_request' ||
    type === 'permission_resolved' ||
    type === 'question' ||
    type === 'question_resolved'
  );
}
