import { fail, ok, type Result } from '../../core/base/result.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { AgentStartFailure, RunningAgent } from '../adapters/agent.ts';
import { startFailureText } from './agentText.ts';
import type { SessionRecord } from './sessionRecord.ts';
import type { TerminalAgent } from './terminalAgent.ts';

/** Where a conversation is: with the bridge, on its way to the agent's own terminal, or there. */
export class Handoff {
  readonly #record: SessionRecord;
  #released: (() => void) | undefined;
  #terminal: TerminalAgent | undefined;

  constructor(record: SessionRecord) {
    this.#record = record;
  }

  get isReleasing(): boolean {
    return this.#released !== undefined;
  }

  /** The agent in its terminal, while it is there. */
  get terminal(): TerminalAgent | undefined {
    return this.#terminal;
  }

  /** Nothing may be sent to the agent from here. */
  get isAway(): boolean {
    return this.isReleasing || this.#terminal !== undefined;
  }

  /**
   * Ends the agent at a turn's end, and follows the conversation to a terminal. Written step by step, so that a restart on
   * the way knows where it was.
   *
   * @param open starts the agent's own program for this conversation in a terminal, or finds the one that somebody started
   * @param agent the one that runs; told to stop here, and `agentEnded` is called once it has
   * @param isOver the conversation was ended meanwhile, or this window is going
   */
  async release(
    open: () => Promise<Result<TerminalAgent, AgentStartFailure>>,
    agent: RunningAgent | undefined,
    isOver: () => boolean,
  ): Promise<Result<TerminalAgent, ErrorCode>> {
    const ended = new Promise<void>(resolve => (this.#released = resolve));
    let opened: TerminalAgent | undefined;
    try {
      this.#record.appendHandoff('releasing');
      if (agent === undefined) this.agentEnded();
      else agent.stop();
      await ended;
      const outcome = isOver() ? fail('agent_failed') : await open();
      if (outcome.ok) opened = outcome.value;
      return this.#settleRelease(outcome, isOver());
    } catch {
      // A full disk, say. Nobody follows what was opened, so it goes before anything else may write.
      opened?.stop();
      await opened?.ended;
      this.#terminal = undefined;
      return fail('internal');
    } finally {
      this.#released = undefined;
    }
  }

  #settleRelease(
    opened: Result<TerminalAgent, AgentStartFailure>,
    isOver: boolean,
  ): Result<TerminalAgent, ErrorCode> {
    if (isOver) {
      if (opened.ok) opened.value.stop();
      this.#record.appendHandoff('live');
      return fail('stale_session');
    }
    if (!opened.ok) {
      this.#record.appendError(opened.code, startFailureText(opened.code), undefined);
      this.#record.appendHandoff('live');
      return fail(opened.code === 'workspace_missing' ? 'owner_unavailable' : 'not_found');
    }
    this.switchTo(opened.value);
    return ok(opened.value);
  }

  /** The conversation is in a terminal, or its terminal's program went on in another one. */
  switchTo(terminal: TerminalAgent): void {
    const { began, nativeId, isForeign } = terminal;
    if (nativeId !== undefined) this.#record.appendNativeId(nativeId);
    const from = { source: began.source, end: began.end };
    this.#record.appendHandoff('mirroring', { owner: isForeign ? 'elsewhere' : 'terminal', from });
    this.adopt(terminal);
  }

  /** The one that was told to stop has. */
  agentEnded(): void {
    this.#released?.();
  }

  /** It is in its terminal, and has been. */
  adopt(terminal: TerminalAgent): void {
    this.#terminal = terminal;
  }

  /** The terminal's program has ended, or went on with something else. @param hold what waits goes when a person says so */
  comeBack(hold: () => void): void {
    if (this.#terminal?.hasMovedOn === true) hold();
    if (this.#terminal?.isEmpty === true) this.#record.forgetNativeId();
    this.#terminal = undefined;
    if (this.#record.state.handoff !== 'live') this.#record.appendHandoff('live');
  }

  /** What a restart finds of a release that did not come to its end. */
  settle(): void {
    if (this.#record.state.handoff !== 'live') this.#record.appendHandoff('live');
  }
}
