import type { Disposable } from '../../core/base/disposable.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import { blockId, turnId, type TurnId } from '../../core/protocol/ids.ts';
import type { AgentEvent, RunningAgent } from '../adapters/agent.ts';
import { ignoredStopText, untakenPromptText } from './agentText.ts';
import type { Approvals, AskEvent } from './approval/approvals.ts';
import { closeOpen, withdrawRequests, type TurnEnd } from './closeTurn.ts';
import type { LifeCycle } from './lifeCycle.ts';
import { OfferedPrompt } from './offeredPrompt.ts';
import type { OwedWrites } from './owedWrites.ts';
import type { PromptDesk } from './promptDesk.ts';
import { waitingPrompts } from './promptQueue.ts';
import { recordDeskPrompt } from './recordEvent.ts';
import type { SessionPorts } from './sessionPorts.ts';
import type { SessionRecord } from './sessionRecord.ts';
import { StopDeadline } from './stopDeadline.ts';
import { TerminalAgent } from './terminalAgent.ts';

interface TurnParts {
  readonly life: LifeCycle;
  readonly approvals: Approvals;
  readonly prompts: PromptDesk;
  readonly owed: OwedWrites;
}

/** Begins turns, puts their requests to people, and ends each once. Which turn runs, the journal says. */
export class TurnRunner implements Disposable {
  readonly #record: SessionRecord;
  readonly #life: LifeCycle;
  readonly #ports: Pick<SessionPorts, 'uniqueId'>;
  readonly #approvals: Approvals;
  readonly #offered: OfferedPrompt;
  readonly #deadline: StopDeadline;
  readonly #prompts: PromptDesk;
  readonly #owed: OwedWrites;
  readonly #observed: Disposable;

  constructor(record: SessionRecord, parts: TurnParts, ports: Pick<SessionPorts, 'uniqueId' | 'clock'>) {
    this.#record = record;
    this.#life = parts.life;
    this.#approvals = parts.approvals;
    this.#prompts = parts.prompts;
    this.#owed = parts.owed;
    this.#ports = ports;
    this.#offered = new OfferedPrompt(record, ports.clock);
    this.#deadline = new StopDeadline(ports.clock);
    this.#observed = record.onDidUpdate(update => {
      if (update.type === 'event' && isOfRequest(update.block)) this.#observeRequests();
    });
  }

  /** Gives the agent the prompt that goes next. */
  begin(agent: RunningAgent): void {
    const turn = turnId.parse(`turn_${this.#ports.uniqueId()}`);
    const text = this.#offered.offer(turn, () => this.#endUnresponsive(agent, untakenPromptText));
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
    // Whether the agent heard of it before the editor went, nobody knows; twice does no harm, except in a terminal.
    if (stopping && this.#life.advance('interrupt').ok && !(agent instanceof TerminalAgent))
      this.#tellToStop(agent);
  }

  /**
   * Stops the running turn. That is said before the agent hears of it (requirement C49); and it hears of it at once, also
   * when nothing can be said yet: the disk is full, say. What waits is held before anything else goes. A program in its
   * terminal is told once: many take a second Ctrl+C for leaving them.
   *
   * @returns false when no turn runs
   */
  stop(agent: RunningAgent | undefined): boolean {
    const { turn } = this.#record.state;
    const wasStopping = this.#life.isStopping;
    if (turn === undefined || !this.#life.advance('interrupt').ok) return false;
    if (wasStopping && agent instanceof TerminalAgent) return true;
    const state = { type: 'session_state', turn_id: turn, activity: 'running' } as const;
    const id = blockId.parse(`${turn}.stop`);
    // Written late, it must not hold what a person says after the stop.
    const waiting = new Set(waitingPrompts(this.#record.state).map(prompt => prompt.client_msg_id));
    const told = { ...state, id, stopping: 'user_cancelled' } as const;
    this.#owe(
      turn,
      () => this.#record.append({ ...told, ts: this.#record.now }),
      () => this.withdrawRequests(),
    );
    this.#owed.owe(() => this.#prompts.hold(prompt => waiting.has(prompt.client_msg_id)));
    this.#tellToStop(agent);
    return true;
  }

  #tellToStop(agent: RunningAgent | undefined): void {
    // What somebody sits at is not ended over their head: they see whether it stops.
    if (!(agent instanceof TerminalAgent))
      this.#deadline.begin(() => this.#endUnresponsive(agent, ignoredStopText));
    agent?.interrupt();
  }

  /** Written late, it would begin a turn again that has ended meanwhile. */
  #owe(turn: TurnId, ...steps: readonly (() => unknown)[]): void {
    const inTurn = (step: () => unknown) => (): void => {
      if (this.#record.state.turn === turn) step();
    };
    this.#owed.owe(...steps.map(inTurn));
  }

  /** It does not do what it was told, which is said. Its conversation is kept, and its turn ends with it. */
  #endUnresponsive(agent: RunningAgent | undefined, text: string): void {
    const { turn } = this.#record.state;
    if (turn === undefined) return;
    const state = {
      type: 'session_state',
      turn_id: turn,
      activity: 'running',
      health: 'unresponsive',
    } as const;
    const id = blockId.parse(`${turn}.health`);
    this.#owe(
      turn,
      () => this.#record.append({ ...state, id, ts: this.#record.now }),
      () => this.#record.appendError('agent_failed', text, turn),
    );
    this.#owed.owe(() => this.#prompts.hold());
    agent?.stop();
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
    this.#deadline.end();
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

  /** Ends a turn that nobody runs: its prompt, or its end, could not be written. */
  closeLeft(): void {
    if (this.#record.state.turn !== undefined) this.close('error', 'unknown');
  }

  #closeOpen(outcome: TurnEnd['outcome']): void {
    for (const block of this.#record.live.blocks) {
      this.#record.append({ ...block, done: true });
      this.#record.live.close(block.id);
    }
    this.#record.appendAll(closeOpen(this.#record.state, { outcome, ts: this.#record.now, of: {} }));
  }

  dispose(): void {
    this.#observed.dispose();
    this.#deadline.dispose();
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
