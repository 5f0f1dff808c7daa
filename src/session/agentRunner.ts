import type { Disposable } from '../../core/base/disposable.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { unreachable } from '../../core/base/unreachable.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { ErrorBlock } from '../../core/protocol/block/sessionBlocks.ts';
import type { AgentEvent, RunningAgent } from '../adapters/agent.ts';
import { crashText, startFailureText } from './agentText.ts';
import { Approvals } from './approval/approvals.ts';
import type { TurnEnd } from './closeTurn.ts';
import { followAgent } from './followAgent.ts';
import { Handoff } from './handoff.ts';
import { LifeCycle } from './lifeCycle.ts';
import type { PromptDesk } from './promptDesk.ts';
import { nextPrompt } from './promptQueue.ts';
import { recordEvent } from './recordEvent.ts';
import { ReplayGuard } from './replayGuard.ts';
import type { RestoredSession } from './restoreSession.ts';
import { QueueGate } from './queueGate.ts';
import { Respawn } from './respawn.ts';
import type { SessionPorts } from './sessionPorts.ts';
import type { SessionRecord } from './sessionRecord.ts';
import { tellError } from './tellError.ts';
import { TerminalAgent } from './terminalAgent.ts';
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
  readonly #handoff: Handoff;
  readonly #respawn: Respawn;
  readonly #gate: QueueGate;
  readonly life: LifeCycle;
  /** What the agent may do, and who is asked. */
  readonly approvals: Approvals;
  #agent: RunningAgent | undefined;
  #guard: ReplayGuard | undefined;
  /** This window lets go; the agent goes on. */
  #disposed = false;

  constructor(record: SessionRecord, prompts: PromptDesk, ports: SessionPorts) {
    this.#record = record;
    this.#prompts = prompts;
    this.#ports = ports;
    this.#handoff = new Handoff(record, () => ports.startTerminal(record.state.agent?.native_id));
    this.life = new LifeCycle(record.state.ended ? 'terminated' : 'uninitialized');
    this.approvals = new Approvals(record, ports, () => this.#agent);
    this.#respawn = new Respawn(ports.clock, ports.unit);
    this.#gate = new QueueGate(record, ports, () => this.goOn());
    this.#turns = new TurnRunner(record, this.life, this.approvals, ports);
  }

  get isOver(): boolean {
    return this.#disposed || this.life.isOver || !this.#record.isOurs;
  }

  /** The one that runs now. */
  get agent(): RunningAgent | undefined {
    return this.#agent;
  }

  /** The agent in its own terminal, while it is there. */
  get terminal(): TerminalAgent | undefined {
    return this.#handoff.terminal;
  }

  get canContinueInTerminal(): boolean {
    return !this.isOver && !this.#handoff.isAway && this.#ports.canContinueInTerminal();
  }

  /** Gives the agent the prompt that goes next, if one goes now. Starts the agent when none runs. */
  goOn(): void {
    // What the agent said before a restart is dealt with first, or its end would be taken for the next turn's.
    if (this.isOver || this.#handoff.isAway || this.#guard?.isRereading === true) return;
    const verdict = this.#gate.ask();
    if (verdict === 'hold') this.#prompts.hold();
    if (verdict !== 'go' || nextPrompt(this.#record.state) === undefined) return;
    if (this.#agent === undefined) void this.#start();
    else if (this.life.state === 'ready') this.#turns.begin(this.#agent);
  }

  /**
   * Stops the running turn. Requests are withdrawn at once, so that nothing is approved on the way out, and what waits is
   * held: a prompt that was meant for after the turn would set the agent going again (field case F58).
   */
  interrupt(): Result<void, ErrorCode> {
    if (this.#handoff.isAway) return fail('parked');
    if (!this.#turns.announceStop()) return fail('not_running');
    this.#prompts.hold();
    // Before anything else of this process runs (requirement C48).
    this.#agent?.interrupt();
    return ok(undefined);
  }

  /** Ends the conversation and its agent. Nothing is approved on the way out. */
  end(): void {
    if (!this.life.advance('end').ok) return;
    this.#turns.withdrawRequests();
    this.#prompts.rejectAll();
    this.#respawn.cancel();
    if (this.#agent) this.#agent.stop();
    else if (!this.#handoff.isReleasing) this.#finish();
  }

  /** @returns `busy` while a turn runs: the agent is let go at a turn's end only (requirement T115) */
  async continueInTerminal(): Promise<Result<void, ErrorCode>> {
    if (!this.canContinueInTerminal) return fail(this.isOver ? 'stale_session' : 'unsupported_operation');
    if (this.life.isBusy) return fail('busy');
    this.#respawn.cancel();
    const released = await this.#handoff.release(this.#agent, () => this.isOver);
    if (released.ok) {
      this.#attach(released.value, released.value.began);
      this.#record.announceChange();
      return ok(undefined);
    }
    if (this.life.isOver) this.#finish();
    else this.goOn();
    return released;
  }

  /**
   * Goes on where the journal ends. With `agent`, it has been running all along; without, whatever it was doing has
   * ended: its turn reads `interrupted`, its calls `unknown`, and nothing is run again (architecture D5).
   */
  resume(agent: RunningAgent | TerminalAgent | undefined, lastLine: RestoredSession['lastLine']): void {
    this.#turns.awaitAcceptance(() => this.#giveUp());
    if (agent instanceof TerminalAgent) this.#handoff.adopt(agent);
    else this.#handoff.settle();
    if (agent !== undefined) this.#attach(agent, lastLine);
    else {
      this.#turns.close('interrupted', 'unknown');
      this.goOn();
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.approvals.dispose();
    this.#turns.dispose();
    this.#respawn.dispose();
    this.#gate.dispose();
    this.#agent?.dispose();
  }

  async #start(): Promise<void> {
    this.#respawn.cancel();
    if (!this.life.advance('start').ok) return;
    this.#record.announceChange();
    const started = await this.#ports.startAgent();
    if (this.isOver) {
      if (started.ok) started.value.stop();
      return;
    }
    if (started.ok) {
      this.life.advance('started');
      this.#follow(started.value, undefined);
      this.goOn();
    } else {
      this.life.advance('start_failed');
      const { code } = started;
      // What a person has to mend first is not tried again.
      const isRetried = code === 'agent_failed' && this.#respawn.isTried;
      this.#lose({ code, message: startFailureText(code) }, isRetried);
    }
    this.#record.announceChange();
  }

  /** Tells why the agent is gone, as `life` says already: a disk may be full. It is started again; or a person has to go on. */
  #lose(error: Pick<ErrorBlock, 'code' | 'message'>, isRetried: boolean): void {
    const planned = isRetried ? this.#respawn.plan() : undefined;
    if (planned !== undefined) this.#respawn.schedule(planned, () => void this.#start());
    tellError(this.#record, this.#ports, error, planned);
    if (planned === undefined) this.#prompts.hold();
  }

  /** Takes up an agent that runs already, in the middle of whatever the journal says. */
  #attach(agent: RunningAgent, lastLine: RestoredSession['lastLine']): void {
    this.life.advance('start');
    this.life.advance('started');
    this.#turns.takeUp(agent);
    this.approvals.resume();
    this.#follow(agent, lastLine);
  }

  #follow(agent: RunningAgent, lastLine: RestoredSession['lastLine']): void {
    this.#agent = agent;
    const guard = (this.#guard = new ReplayGuard(agent, lastLine));
    if (lastLine === undefined) guard.endReread();
    void followAgent(agent, guard, this.#record, () => this.#disposed || this.#agent !== agent, {
      event: event => this.#onAgentEvent(event),
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

  #onAgentEvent(event: AgentEvent): void {
    switch (event.type) {
      case 'prompt_accepted':
        this.#turns.accept();
        return;
      case 'desk_prompt':
        this.#turns.beginAtDesk(event);
        return;
      case 'proposal':
      case 'proposal_withdrawn':
      case 'question':
      case 'question_withdrawn':
        this.#turns.ask(event, this.#guard?.isRereading === true);
        return;
      case 'checkpoint':
        this.#agent?.acknowledge(event.offset);
        return;
      case 'turn_end':
        this.#endTurn(event.reason, 'interrupted');
        return;
      case 'exit':
        this.#onExit(event);
        return;
      case 'block':
        this.#record.appendAgentBlock(this.#gate.note(event.block), this.#record.state.turn);
        return;
      case 'line':
      case 'native_id':
        recordEvent(this.#record, event);
        return;
    }
    return unreachable(event);
  }

  #onFailure(agent: RunningAgent): void {
    const detail = 'it said something that could not be dealt with';
    if (agent instanceof TerminalAgent) void agent.ended.then(() => this.#onExit({ expected: true, detail }));
    else this.#onExit({ expected: false, detail });
  }

  /** Once it has ended it can take no prompt any more, so that "not delivered" is true when it is said. */
  #giveUp(): void {
    if (this.#agent === undefined || this.#agent instanceof TerminalAgent) this.#endTurn('error', 'unknown');
    else this.#agent.stop();
  }

  /** The end of a turn that nobody began is none. */
  #endTurn(reason: TurnEnd['reason'], outcome: TurnEnd['outcome']): void {
    if (!this.life.advance('turn_end').ok) return;
    this.#turns.close(reason, outcome);
    if (reason === 'completed') this.#respawn.reset();
    this.goOn();
  }

  #onExit({ expected, detail }: Ended): void {
    const wasEnding = this.life.isOver;
    this.#agent?.dispose();
    this.#agent = undefined;
    this.#guard = undefined;
    if (this.#handoff.isReleasing) {
      if (!wasEnding) this.life.advance(expected ? 'exit' : 'crash');
      this.#handoff.agentEnded();
      return;
    }
    if (wasEnding) {
      this.#turns.close('stopped', 'unknown');
      this.#finish();
    } else if (this.#handoff.terminal !== undefined) {
      this.life.advance('exit');
      this.#turns.close('interrupted', 'interrupted');
      this.#handoff.comeBack();
      this.goOn();
    } else if (expected) {
      this.life.advance('exit');
      this.#turns.close('error', 'unknown');
      this.goOn();
    } else {
      this.life.advance('crash');
      this.#lose({ code: 'agent_crashed', message: crashText(detail) }, true);
      this.#turns.close('error', 'unknown');
    }
    this.#record.announceChange();
  }

  #finish(): void {
    if (this.life.advance('exit').ok) this.#record.appendEnd();
  }
}
