import { AsyncQueue } from '../../core/base/asyncQueue.ts';
import { Emitter } from '../../core/base/emitter.ts';
import type { AgentEvent, ConversationRecord } from '../../src/adapters/agent.ts';
import type { TerminalProcess } from '../../src/terminal/terminalProcess.ts';
import { FakeAsks } from './fakeAsks.ts';

/** An agent's own record that a test writes, a line at a time. */
export class FakeRecord implements ConversationRecord {
  readonly sourceId: string;
  readonly #lines: (readonly AgentEvent[])[] = [];
  readonly #followers = new Set<AsyncQueue<AgentEvent>>();

  constructor(sourceId = 'record-fake') {
    this.sourceId = sourceId;
  }

  /** A line is 10 bytes. */
  get end(): number {
    return this.#lines.length * 10;
  }

  write(...events: readonly AgentEvent[]): void {
    this.#lines.push(events);
    for (const follower of this.#followers) this.#tell(follower, this.#lines.length - 1);
  }

  async *follow(from: number, finished: AbortSignal): AsyncGenerator<AgentEvent, void, void> {
    const queue = new AsyncQueue<AgentEvent>(1_000);
    this.#followers.add(queue);
    for (let line = from / 10; line < this.#lines.length; line += 1) this.#tell(queue, line);
    const close = (): void => queue.close();
    if (finished.aborted) close();
    else finished.addEventListener('abort', close, { once: true });
    yield* queue;
    this.#followers.delete(queue);
  }

  #tell(queue: AsyncQueue<AgentEvent>, line: number): void {
    queue.push({ type: 'line', end: (line + 1) * 10 });
    for (const event of this.#lines[line] ?? []) queue.push(event);
  }
}

/** A program in a terminal that ends when a test says so, or when it is told to. */
export class FakeTerminal implements TerminalProcess {
  readonly pid = 2;
  readonly directory = '/run/fake';
  readonly deskPid = 0;
  readonly onDidChangeDesk = new Emitter<number>().event;
  readonly asks = new FakeAsks();
  orders: string[] = [];
  exit: () => void = () => undefined;
  readonly exited = new Promise<{ readonly detail: string }>(resolve => {
    this.exit = () => resolve({ detail: 'exit code 0' });
  });

  look = async (): Promise<{ ok: false; code: 'unsupported' }> => ({ ok: false, code: 'unsupported' });
  page = this.look;
  paste = this.look;
  keys = this.look;
  interrupt(): void {
    this.orders.push('interrupt');
  }
  end(): void {
    this.orders.push('end');
    this.exit();
  }
  dispose(): void {
    this.orders.push('dispose');
  }
}
