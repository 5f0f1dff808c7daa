import { randomUUID } from 'node:crypto';
import { ok } from '../../../core/base/result.ts';
import { agentId, type BlockId, type TurnId } from '../../../core/protocol/ids.ts';
import type { AgentCommand, AgentEvent, LineProcess, QuestionAnswer, RunningAgent } from '../agent.ts';
import type { AgentAdapter } from '../agentAdapter.ts';
import { defineAdapter } from '../defineAdapter.ts';
import { DemoDecoder } from './demoDecoder.ts';
import type { DemoCommand } from './demoFrame.ts';
import { openDemoRecord } from './demoRecord.ts';

/**
 * @param command runs `dist/demoAgent.cjs`
 * @param records folder of its conversations
 */
export function createDemoAdapter(command: AgentCommand, records: string): AgentAdapter {
  const { argv, env } = command;
  const run = (...args: string[]): AgentCommand => ({
    argv: [...argv, ...args],
    env: { ...env, TERMINULL_DEMO_RECORDS: records },
  });
  return defineAdapter({
    agentId: agentId.parse('demo'),
    displayName: 'Demo agent',
    capabilities: { thinking: true, permissions: true, interrupt: true, diffs: true, questions: true },
    providesModels: false,
    providesUsage: false,
    terminal: {
      newId: () => randomUUID(),
      command: (_agent, { id, isNew }) => run(isNew ? '--session-id' : '--resume', id),
      openRecord: (_agent, id) => openDemoRecord(records, id),
    },
    external: false,
    detect: () => Promise.resolve({ version: '1', command }),
    async start(_agent, context) {
      const { resume } = context;
      const opened = await context.openProcess(resume === undefined ? run() : run('--resume', resume));
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

  answerQuestion(id: BlockId, answer: QuestionAnswer | undefined): void {
    const given = answer === undefined ? undefined : copyOf(answer);
    this.#tell({ type: 'reply', id, ...(given === undefined ? {} : { answer: given }) });
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

function copyOf(answer: QuestionAnswer): { selected: string[] } | { custom: string } {
  return 'custom' in answer ? { custom: answer.custom } : { selected: [...answer.selected] };
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
