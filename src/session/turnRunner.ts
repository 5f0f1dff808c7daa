import type { Disposable } from '../../core/base/disposable.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import { blockId, turnId } from '../../core/protocol/ids.ts';
import type { AgentEvent, RunningAgent } from '../adapters/agent.ts';
import type { Approvals, AskEvent } from './approval/approvals.ts';
import { closeOpen, withdrawRequests, type TurnEnd } from './closeTurn.ts';
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
  takeUp(agent: RunningAgent): void {
    const { turn, stopping } = this.#record.state;
    if (turn !== undefined) this.#life.advance('prompt');
    this.#observeRequests();
    // Whether the agent heard of it before the editor went, nobody knows; twice does no harm.
    if (stopping && this.#life.advance('interrupt').ok) agent.interrupt();
  }

  /**
   * Says that the running turn is to stop, before the agent hears of it (requirement C49).
   *
   * @returns false when no turn runs
   */
  announceStop(): boolean {
    const { turn } = this.#record.state;
    if (turn === undefined || !this.#life.advance('interrupt').ok) return false;
    this.#record.append({
      type: 'session_state',
      ts: this.#record.now,
      turn_id: turn,
      id: blockId.parse(`${turn}.stop`),
      activity: 'running',
      stopping: 'user_cancelled',
    });
    this.withdrawRequests();
    return true;
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

  /** Ends the turn that runs, and everything that is open; without a turn, what an agent left open beside it. */
  close(reason: TurnEnd['reason'], outcome: TurnEnd['outcome']): void {
    const { turn } = this.#record.state;
    if (turn === undefined) {
      this.#closeOpen(outcome);
      return;
    }
    // The agent's record shows nothing of a prompt that it was given: whether it read it, nobody can say.
    this.#offered.reject();
    this.#record.appendTurnEnd({ turn, reason, outcome });
    this.#record.announceChange();
  }

  #closeOpen(outcome: TurnEnd['outcome']): void {
    for (const block of this.#record.live.blocks) {
      this.#record.live.close(block.id);
      this.#record.append({ ...block, done: true });
    }
    this.#record.appendAll(closeOpen(this.#record.state, { outcome, ts: this.#record.now, of: {} }));
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
