import type { Disposable } from '../../core/base/disposable.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { AgentEvent, RunningAgent } from '../adapters/agent.ts';
import { takeAgentEvent } from './agentEvents.ts';
import { AgentFacts } from './agentFacts.ts';
import { AgentRecovery } from './agentRecovery.ts';
import type { FoundAgent } from './agentStarter.ts';
import { Approvals } from './approval/approvals.ts';
import type { TurnEnd } from './closeTurn.ts';
import { ConversationEnd } from './conversationEnd.ts';
import { DeskDialogs } from './deskDialogs.ts';
import { followAgent } from './followAgent.ts';
import { Handoff } from './handoff.ts';
import { LifeCycle } from './lifeCycle.ts';
import { OwedWrites } from './owedWrites.ts';
import type { PromptDesk } from './promptDesk.ts';
import { nextPrompt } from './promptQueue.ts';
import { ReplayGuard } from './replayGuard.ts';
import type { RestoredSession } from './restoreSession.ts';
import { QueueGate } from './queueGate.ts';
import type { SessionPorts } from './sessionPorts.ts';
import type { SessionRecord } from './sessionRecord.ts';
import { TerminalAgent } from './terminalAgent.ts';
import { TerminalMoves } from './terminalMoves.ts';
import { TurnRunner } from './turnRunner.ts';

type Ended = Pick<Extract<AgentEvent, { type: 'exit' }>, 'expected' | 'detail'>;
/**
 * Runs the agent of one conversation: starts it, gives it one prompt at a time, and deals with what it says until it has
 * ended. Which turn runs and what is outstanding, the journal says; what the process does, `life` says.
 */
export class AgentRunner implements Disposable {
  readonly #record: SessionRecord;
  readonly #prompts: PromptDesk;
  readonly #ports: SessionPorts;
  readonly #turns: TurnRunner;
  readonly #ending: ConversationEnd;
  readonly #handoff: Handoff;
  readonly #gate: QueueGate;
  readonly #owed: OwedWrites;
  readonly facts: AgentFacts;
  readonly life: LifeCycle;
  readonly recovery: AgentRecovery;
  /** What the agent may do, and who is asked. */
  readonly approvals: Approvals;
  readonly moves: TerminalMoves;
  readonly dialogs: DeskDialogs;
  #agent: RunningAgent | undefined;
  #guard: ReplayGuard | undefined;
  /** This window lets go; the agent goes on. */
  #disposed = false;

  constructor(record: SessionRecord, prompts: PromptDesk, ports: SessionPorts) {
    this.#record = record;
    this.#prompts = prompts;
    this.#ports = ports;
    this.#handoff = new Handoff(record);
    this.life = new LifeCycle(record.state.ended ? 'terminated' : 'uninitialized');
    this.approvals = new Approvals(record, ports, {
      agent: () => this.#agent,
      isGoing: () => this.life.isStopping || this.life.isOver,
    });
    this.facts = new AgentFacts(record, ports, () => this.#agent);
    this.dialogs = new DeskDialogs(record, this.approvals, ports);
    this.#gate = new QueueGate(record, ports, () => this.goOn());
    this.#owed = new OwedWrites(record, ports.clock, ports.unit);
    this.recovery = new AgentRecovery(record, prompts, this.#owed, ports, () => void this.#start());
    const { life, approvals } = this;
    this.moves = new TerminalMoves(
      {
        record,
        handoff: this.#handoff,
        life,
        agent: () => this.#agent,
        isOver: () => this.isOver,
        isOfOtherVersion: () => this.recovery.isOfOtherVersion,
        cancelRespawn: () => this.recovery.cancel(),
        attach: (terminal: TerminalAgent) => this.#attach(terminal, terminal.began),
        finish: () => this.#ending.finish(),
        goOn: () => this.goOn(),
      },
      ports,
    );
    const parts = { record, life, approvals, prompts, owed: this.#owed };
    const turns = (this.#turns = new TurnRunner(record, parts, ports));
    this.#ending = new ConversationEnd({ ...parts, turns });
  }

  get isOver(): boolean {
    return this.#disposed || this.life.isOver || !this.#record.isOurs;
  }

  get agent(): RunningAgent | undefined {
    return this.#agent;
  }

  /** The agent in its own terminal, while it is there. */
  get terminal(): TerminalAgent | undefined {
    return this.#handoff.terminal;
  }

  /** Gives the agent the prompt that goes next, if one goes now. Starts the agent when none runs. */
  goOn(): void {
    this.#owed.afterwards(() => this.#giveNext());
  }

  #giveNext(): void {
    // What the agent said before a restart is dealt with first, or its end would be taken for the next turn's.
    if (this.isOver || this.#handoff.isAway || this.#guard?.isRereading === true) return;
    if (this.moves.yieldToOwner() || this.moves.catchUp()) return;
    if (this.life.state === 'ready') this.#turns.closeLeft();
    const verdict = this.#gate.ask();
    if (verdict === 'hold') this.#prompts.hold();
    if (verdict !== 'go' || nextPrompt(this.#record.state) === undefined) return;
    if (this.#agent === undefined) void this.#start();
    else if (this.life.state === 'ready') this.#turns.begin(this.#agent);
  }

  /** Stops the running turn. What was meant for after it is held: it would set the agent going again (field case F58). */
  interrupt(): Result<void, ErrorCode> {
    if (this.#handoff.isReleasing) return fail('parked');
    // The agent hears of it before anything else of this process runs (requirement C48).
    return this.#turns.stop(this.#agent) ? ok(undefined) : fail('not_running');
  }

  /** Ends the conversation and its agent, which is told whatever the disk does, and again when it is asked for again. */
  end(): void {
    this.life.advance('end');
    try {
      this.#ending.write();
    } finally {
      this.recovery.end();
      if (this.#agent) this.#agent.stop();
      else if (!this.#handoff.isReleasing) this.#ending.finish();
    }
  }

  /** Goes on where the journal ends, as a session says it. */
  resume(agent: FoundAgent, lastLine: RestoredSession['lastLine']): void {
    if (this.#record.state.ended) {
      // It ended while its agent was still at work, and nobody has seen what became of that.
      this.#ending.finish();
      return;
    }
    if (agent === 'other_version') {
      this.recovery.notStarted(agent);
      return;
    }
    this.#turns.awaitAcceptance(() => this.#giveUp());
    if (agent instanceof TerminalAgent) {
      // It was with us when the window went, and somebody else has gone on with it since.
      const { handoff } = this.#record.state;
      if (handoff === 'live') this.#owed.owe(() => this.#turns.close('interrupted', 'unknown'));
      this.#handoff.adopt(agent);
    } else if (agent !== undefined) this.#owed.owe(() => this.#handoff.settle());
    else this.#closeLeft();
    if (agent === undefined) this.goOn();
    else this.#attach(agent, lastLine);
  }

  /** Whatever ran has ended, and nobody saw how. */
  #closeLeft(): void {
    const close = (): void => this.#turns.close('interrupted', 'unknown');
    this.#owed.owe(() => this.#handoff.settle(), close);
  }

  dispose(): void {
    this.#disposed = true;
    this.dialogs.dispose();
    this.approvals.dispose();
    this.#turns.dispose();
    this.recovery.dispose();
    this.#gate.dispose();
    this.#owed.dispose();
    this.#agent?.dispose();
  }

  async #start(): Promise<void> {
    this.recovery.cancel();
    if (!this.life.advance('start').ok) return;
    this.#record.announceChange();
    // What nobody expects is a failure like any other: nobody waits for it.
    const started = await this.#ports.startAgent().catch(() => fail('agent_failed' as const));
    if (this.isOver) {
      if (started.ok) started.value.stop();
      return;
    }
    const isElsewhere = !started.ok && started.code === 'other_version';
    if (this.recovery.isOfOtherVersion && !isElsewhere) this.#closeLeft();
    if (started.ok) {
      this.life.advance('started');
      this.recovery.started();
      this.#follow(started.value, undefined);
      this.goOn();
    } else {
      this.life.advance('start_failed');
      this.recovery.notStarted(started.code);
    }
    this.#record.announceChange();
  }

  /** Takes up an agent that runs already, in the middle of whatever the journal says. */
  #attach(agent: RunningAgent, lastLine: RestoredSession['lastLine']): void {
    this.life.advance('start');
    this.life.advance('started');
    this.#turns.takeUp(agent);
    this.approvals.resume();
    this.dialogs.follow(agent instanceof TerminalAgent ? agent.prompts : undefined);
    this.#follow(agent, lastLine);
  }

  #follow(agent: RunningAgent, lastLine: RestoredSession['lastLine']): void {
    this.#agent = agent;
    const guard = (this.#guard = new ReplayGuard(agent, lastLine));
    if (lastLine === undefined) guard.endReread();
    const targets = {
      agent,
      guard,
      record: this.#record,
      turns: this.#turns,
      gate: this.#gate,
      facts: this.facts,
      endTurn: (reason: TurnEnd['reason']) => this.#endTurn(reason),
      exit: (event: Ended) => this.#onExit(event),
    };
    void followAgent(agent, guard, this.#record, () => this.#disposed || this.#agent !== agent, {
      event: event => takeAgentEvent(event, targets),
      answerAgain: event => this.approvals.answerAgain(event),
      // Who sits at its terminal goes on with it; only what it does cannot be told any more.
      failing: () => agent instanceof TerminalAgent || agent.stop(),
      failed: () => this.#onFailure(agent),
    });
    void agent.caughtUp.then(() => {
      guard.endReread();
      this.goOn();
    });
  }

  #onFailure(agent: RunningAgent): void {
    const detail = 'it said something that could not be dealt with';
    if (agent instanceof TerminalAgent) void agent.ended.then(() => this.#onExit({ expected: true, detail }));
    else this.#onExit({ expected: false, detail });
  }

  /** Once it has ended it can take no prompt any more, so that "not delivered" is true when it is said. */
  #giveUp(): void {
    if (this.#agent !== undefined && !(this.#agent instanceof TerminalAgent)) {
      this.#agent.stop();
      return;
    }
    this.life.advance('turn_end');
    this.#owed.owe(() => this.#turns.close('error', 'unknown'));
    this.goOn();
  }

  /** The end of a turn that nobody began is none. */
  #endTurn(reason: TurnEnd['reason']): void {
    if (!this.life.advance('turn_end').ok) return;
    this.#turns.close(reason, 'interrupted');
    if (reason === 'completed') this.recovery.reset();
    this.goOn();
  }

  /** Never throws: what cannot be written is owed. */
  #onExit({ expected, detail }: Ended): void {
    const { isOver: wasEnding, isStopping: wasStopping } = this.life;
    this.dialogs.follow(undefined);
    this.#agent?.dispose();
    this.#agent = undefined;
    this.#guard = undefined;
    if (this.#handoff.terminal === undefined) this.moves.agentEnded();
    if (this.#handoff.isReleasing) {
      if (!wasEnding) this.life.advance(expected ? 'exit' : 'crash');
      this.#handoff.agentEnded();
      return;
    }
    if (wasEnding) this.#ending.finish();
    else if (this.#handoff.terminal !== undefined) {
      this.life.advance('exit');
      this.#owed.owe(
        // What it did last, nobody wrote.
        () => this.#turns.close('interrupted', 'unknown'),
        () => this.#handoff.comeBack(() => this.#prompts.hold()),
      );
      this.goOn();
    } else if (expected) {
      this.life.advance('exit');
      this.#owed.owe(() => this.#turns.close(wasStopping ? 'interrupted' : 'error', 'unknown'));
      this.goOn();
    } else {
      this.life.advance('crash');
      this.recovery.crashed(detail);
      this.#owed.owe(() => this.#turns.close('error', 'unknown'));
      // It may have ended long ago. With something to do it is started again by itself, and not at once.
      if (nextPrompt(this.#record.state) === undefined) this.moves.catchUp();
    }
    this.#record.announceChange();
  }
}
