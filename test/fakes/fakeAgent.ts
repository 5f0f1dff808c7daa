import { AsyncQueue } from '../../core/base/asyncQueue.ts';
import type { AgentEvent, ChosenSettings, QuestionAnswer, RunningAgent } from '../../src/adapters/agent.ts';

/** An agent whose events a test pushes, and whose orders it can read. */
export class FakeAgent implements RunningAgent {
  readonly pid = 1;
  readonly sourceId: string = 'fake';
  catchUp: () => void = () => undefined;
  readonly caughtUp = new Promise<void>(resolve => (this.catchUp = resolve));
  readonly orders: string[] = [];
  readonly events = new AsyncQueue<AgentEvent>(1_000);

  send(turn: string, text: string): void {
    this.orders.push(`send ${text} as ${turn.slice(0, 4)}`);
  }
  interrupt(): void {
    this.orders.push('interrupt');
  }
  configure(settings: ChosenSettings): void {
    this.orders.push(`configure ${JSON.stringify(settings)}`);
  }
  respondPermission(id: string, optionId: string): void {
    this.orders.push(`${optionId} ${id}`);
  }
  answerQuestion(id: string, answer: QuestionAnswer | undefined): void {
    this.orders.push(`reply ${id} ${JSON.stringify(answer ?? 'nothing')}`);
  }
  acknowledge(offset: number): void {
    this.orders.push(`acknowledge ${String(offset)}`);
  }
  stop(): void {
    this.orders.push('stop');
    this.events.push({ type: 'exit', expected: true, detail: '' });
    this.events.close();
  }
  dispose(): void {
    this.events.close();
  }
}
