import { randomUUID } from 'node:crypto';
import { Emitter } from '../../../core/base/emitter.ts';
import { fail, ok } from '../../../core/base/result.ts';
import type { KeeperPort } from '../../../src/session/agentStarter.ts';
import type { AgentAdapter } from '../../../src/adapters/agentAdapter.ts';
import { createDemoAdapter } from '../../../src/adapters/demo/demoAdapter.ts';
import type { TerminalProcess } from '../../../src/terminal/terminalProcess.ts';
import { FakeAsks } from '../fakeAsks.ts';
import { FakeRecord } from '../fakeTerminal.ts';
import { SimProcess, type SimConversation } from './simProcess.ts';

/** A conversation as all its programs share it. */
interface Shared extends SimConversation {
  readonly record: FakeRecord;
}

/** The agent's own program in a terminal, with somebody who sits at it. */
export class SimTerminal {
  readonly pid: number;
  readonly conversation: Shared;
  readonly onDidChangeDesk = new Emitter<number>();
  isRunning = true;
  #count = 0;
  #settle: (exit: { readonly detail: string }) => void = () => undefined;
  readonly exited = new Promise<{ readonly detail: string }>(resolve => (this.#settle = resolve));

  constructor(pid: number, conversation: Shared) {
    this.pid = pid;
    this.conversation = conversation;
  }

  /** A whole turn at the desk. */
  type(text: string): void {
    this.#count += 1;
    this.conversation.prompts.push(text);
    const id = `${String(this.pid)}-${String(this.#count)}`;
    this.conversation.record.write({ type: 'desk_prompt', id, text });
    this.conversation.record.write({ type: 'turn_end', reason: 'completed' });
  }

  leave(): void {
    this.isRunning = false;
    this.#settle({ detail: 'exit code 0' });
  }

  attach(): TerminalProcess {
    const { pid, exited } = this;
    return {
      pid,
      directory: '/run/sim',
      deskPid: 0,
      onDidChangeDesk: this.onDidChangeDesk.event,
      asks: new FakeAsks(),
      exited,
      look: async () => fail('unsupported'),
      page: async () => fail('unsupported'),
      paste: async () => fail('unsupported'),
      keys: async () => fail('unsupported'),
      interrupt: () => undefined,
      // A window that finds it on its way there waits for its end.
      end: () => void setImmediate(() => this.leave()),
      dispose: () => undefined,
    };
  }
}

/**
 * The programs of a machine, which outlive its windows. They are real to everything from the adapter upwards; what they
 * do next is a test's choice, and so is when.
 */
export class SimMachine {
  readonly conversations = new Map<string, Shared>();
  readonly #programs = new Map<string, SimProcess | SimTerminal>();
  readonly adapter: AgentAdapter;
  /** Turns of the event loop until a keeper answers who wants to attach to its program. */
  keeperDelay = 0;
  #pids = 100;

  constructor() {
    const demo = createDemoAdapter({ argv: ['sim'], env: {} }, '/nowhere');
    if (demo.terminal === false) throw new Error('the demo agent has a terminal');
    this.adapter = {
      ...demo,
      terminal: { ...demo.terminal, openRecord: (_agent, id) => this.#conversation(id).record },
    };
  }

  get processes(): readonly SimProcess[] {
    return [...this.#programs.values()].filter(program => program instanceof SimProcess);
  }

  get terminals(): readonly SimTerminal[] {
    return [...this.#programs.values()].filter(program => program instanceof SimTerminal);
  }

  /** Programs that could write into a conversation now. */
  writers(): number {
    return [...this.#programs.values()].filter(({ isRunning }) => isRunning).length;
  }

  step(): void {
    for (const process of this.processes) process.step();
  }

  get isBusy(): boolean {
    return this.processes.some(({ isBusy }) => isBusy);
  }

  /** Nothing of what ran is there any more, nor what it had said to nobody. */
  failPower(): void {
    for (const program of this.#programs.values())
      if (program instanceof SimProcess) program.crash();
      else program.leave();
    this.#programs.clear();
  }

  keepers: KeeperPort = {
    open: ({ argv }, _cwd, announce) => {
      const process = new SimProcess((this.#pids += 1), this.#conversation(conversationOf(argv)));
      const address = this.#announce(process, false);
      announce(address);
      return Promise.resolve(ok({ process: process.attach(), address }));
    },
    reopen: async address => {
      await this.#keeperAnswers();
      const found = this.#programs.get(address.id);
      if (!(found instanceof SimProcess) || found.isForgotten) return fail('gone');
      return ok(found.attach());
    },
    openTerminal: ({ argv }, _cwd, announce) => {
      const terminal = new SimTerminal((this.#pids += 1), this.#conversation(conversationOf(argv)));
      announce(this.#announce(terminal, true));
      return Promise.resolve(ok(terminal.attach()));
    },
    reopenTerminal: async address => {
      await this.#keeperAnswers();
      const found = this.#programs.get(address.id);
      if (!(found instanceof SimTerminal) || !found.isRunning) return fail('gone');
      return ok(found.attach());
    },
    endOtherVersion: () => Promise.resolve(),
  };

  async #keeperAnswers(): Promise<void> {
    for (let turn = this.keeperDelay; turn > 0; turn -= 1)
      await new Promise(resolve => setImmediate(resolve));
  }

  #announce(program: SimProcess | SimTerminal, terminal: boolean) {
    const id = program.pid.toString(16).padStart(16, '0');
    this.#programs.set(id, program);
    return { id, socketPath: '/run/sim', token: 'x'.repeat(43), directory: '/run', terminal };
  }

  #conversation(id: string): Shared {
    const known = this.conversations.get(id);
    if (known !== undefined) return known;
    const made: Shared = { id, prompts: [], effects: [], replies: [], record: new FakeRecord() };
    this.conversations.set(id, made);
    return made;
  }
}

/** `--session-id ID` and `--resume ID`, as the demo agent takes them; a new one without. */
function conversationOf(argv: readonly string[]): string {
  const at = argv.findIndex(arg => arg === '--resume' || arg === '--session-id');
  return (at < 0 ? undefined : argv[at + 1]) ?? randomUUID();
}
