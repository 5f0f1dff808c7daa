import { jsonValue } from '../../../core/base/jsonValue.ts';
import { demoCommand, type DemoFrame } from '../../../src/adapters/demo/demoFrame.ts';
import type { AgentLine, LineProcess } from '../../../src/adapters/agent.ts';
import { SimTurn, type SimEffect, type SimReply } from './simTurn.ts';

/** What the agent's own record of a conversation has: every prompt that it took, in order. */
export interface SimConversation {
  readonly id: string;
  readonly prompts: string[];
  /** What it did, allowed by somebody. */
  readonly effects: SimEffect[];
  /** What it was answered to its questions. */
  readonly replies: SimReply[];
}

interface Exit {
  readonly expected: boolean;
  readonly detail: string;
}

/** An agent on pipes under a keeper. It goes on only when a test lets it, and outlives every window. */
export class SimProcess {
  readonly pid: number;
  readonly sourceId: string;
  readonly conversation: SimConversation;
  readonly #output: AgentLine[] = [];
  #end = 0;
  #acknowledged = 0;
  #turn: SimTurn | undefined;
  #isEnding = false;
  exit: Exit | undefined;
  #reader: { wake: () => void; dispose: () => void } | undefined;
  /** Somebody was told of its end: its keeper has gone. */
  isForgotten = false;
  #settle: (exit: Exit) => void = () => undefined;
  readonly #exited = new Promise<Exit>(resolve => (this.#settle = resolve));

  constructor(pid: number, conversation: SimConversation) {
    this.pid = pid;
    this.sourceId = `sim-${String(pid)}`;
    this.conversation = conversation;
    this.#say({ type: 'conversation', id: conversation.id });
  }

  get isRunning(): boolean {
    return this.exit === undefined;
  }

  get isBusy(): boolean {
    return this.isRunning && (this.#isEnding || (this.#turn !== undefined && !this.#turn.isWaiting));
  }

  /** It does the next thing, if there is one. */
  step(): void {
    if (!this.isRunning) return;
    if (this.#isEnding) {
      this.#leave({ expected: true, detail: '' });
      return;
    }
    for (const frame of this.#turn?.step() ?? []) this.#say(frame);
    if (this.#turn?.isOver === true) this.#turn = undefined;
  }

  /** `kill -9`. */
  crash(): void {
    if (this.isRunning) this.#leave({ expected: false, detail: 'signal 9' });
  }

  /** Another window attaches; whoever was attached hears nothing more. */
  attach(): LineProcess {
    this.#reader?.dispose();
    let isDisposed = false;
    let wake = (): void => undefined;
    const there = this.#end;
    let catchUp = (): void => undefined;
    const caughtUp = new Promise<void>(resolve => (catchUp = resolve));
    this.#reader = {
      wake: () => wake(),
      dispose: () => {
        isDisposed = true;
        wake();
      },
    };
    const reader = this.#reader;
    const from = this.#acknowledged;
    const next = async function* (this: SimProcess): AsyncGenerator<AgentLine, void, void> {
      let at = this.#output.findIndex(line => line.end > from);
      if (at < 0) at = this.#output.length;
      for (;;) {
        if (isDisposed) return;
        const line = this.#output[at];
        if (line !== undefined) {
          at += 1;
          yield line;
          continue;
        }
        if (this.#end >= there) catchUp();
        if (this.exit !== undefined) return;
        await new Promise<void>(resolve => (wake = resolve));
      }
    };
    return {
      pid: this.pid,
      sourceId: this.sourceId,
      caughtUp,
      lines: next.call(this),
      exited: new Promise(resolve => {
        void this.#exited.then(exit => {
          // Whoever let go is told nothing.
          if (isDisposed) return;
          this.isForgotten = true;
          resolve(exit);
        });
      }),
      // What a window that was replaced writes goes nowhere: its connection is closed.
      writeLine: text => {
        if (!isDisposed) this.#hear(text);
      },
      acknowledge: offset => {
        if (!isDisposed) this.#acknowledged = Math.max(this.#acknowledged, offset);
      },
      end: () => {
        if (!isDisposed) this.#isEnding = true;
      },
      dispose: () => reader.dispose(),
    };
  }

  #hear(text: string): void {
    if (!this.isRunning) return;
    const command = demoCommand.parse(jsonValue(text));
    switch (command.type) {
      case 'prompt':
        if (this.#turn !== undefined) throw new Error('a prompt into a turn that runs');
        this.#turn = new SimTurn(command.turn, command.text, this.conversation);
        return;
      case 'answer':
        this.#turn?.answer(command.id, command.allow);
        return;
      case 'interrupt':
        this.#turn?.interrupt();
        return;
      case 'reply':
        this.#turn?.reply(command.id, command.answer);
        return;
    }
  }

  #say(frame: DemoFrame): void {
    const text = JSON.stringify(frame);
    this.#end += text.length + 1;
    this.#output.push({ text, end: this.#end });
    this.#reader?.wake();
  }

  #leave(exit: Exit): void {
    this.exit = exit;
    this.#turn = undefined;
    this.#settle(exit);
    this.#reader?.wake();
  }
}
