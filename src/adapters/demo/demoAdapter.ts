import { ok } from '../../../core/base/result.ts';
import { agentId, type BlockId, type TurnId } from '../../../core/protocol/ids.ts';
import type { AgentAdapter, AgentCommand, AgentEvent, LineProcess, RunningAgent } from '../agent.ts';
import { defineAdapter } from '../defineAdapter.ts';
import { DemoDecoder } from './demoDecoder.ts';
import type { DemoCommand } from './demoFrame.ts';

/** @param command runs `dist/demoAgent.cjs` */
export function createDemoAdapter(command: AgentCommand): AgentAdapter {
  return defineAdapter({
    agentId: agentId.parse('demo'),
    displayName: 'Demo agent',
    capabilities: { thinking: true, permissions: true, interrupt: true, diffs: true },
    providesModels: false,
    providesUsage: false,
    terminal: false,
    detect: () => Promise.resolve({ version: '1', command }),
    async start(agent, context) {
      const opened = await context.openProcess(agent.command);
      return opened.ok ? ok(new RunningDemoAgent(opened.value)) : opened;
    },
  });
}

class RunningDemoAgent implements RunningAgent {
  readonly #process: LineProcess;
  readonly events: AsyncIterable<AgentEvent>;

  constructor(process: LineProcess) {
    this.#process = process;
    this.events = decodeLines(process);
  }

  get pid(): number {
    return this.#process.pid;
  }

  get sourceId(): string {
    return this.#process.sourceId;
  }

  get caughtUp(): Promise<void> {
    return this.#process.caughtUp;
  }

  send(turn: TurnId, text: string): void {
    this.#tell({ type: 'prompt', turn, text });
  }

  interrupt(): void {
    this.#tell({ type: 'interrupt' });
  }

  respondPermission(id: BlockId, optionId: string): void {
    this.#tell({ type: 'answer', id, allow: optionId === 'allow' });
  }

  acknowledge(offset: number): void {
    this.#process.acknowledge(offset);
  }

  stop(): void {
    this.#process.end();
  }

  dispose(): void {
    this.#process.dispose();
  }

  #tell(command: DemoCommand): void {
    this.#process.writeLine(JSON.stringify(command));
  }
}

async function* decodeLines(process: LineProcess): AsyncGenerator<AgentEvent, void, void> {
  const decoder = new DemoDecoder();
  for await (const line of process.lines) {
    yield { type: 'line', end: line.end };
    yield* decoder.receive(line.text);
    if (decoder.isSettled) yield { type: 'checkpoint', offset: line.end };
  }
  yield { type: 'exit', ...(await process.exited) };
}
