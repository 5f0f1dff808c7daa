import { AsyncQueue } from '../../core/base/asyncQueue.ts';
import { ok, type Result } from '../../core/base/result.ts';
import type { AgentStartFailure, LineProcess } from '../adapters/agent.ts';
import type { KeeperClient } from './keeperClient.ts';
import { launchKeeper, type AgentCommand, type KeeperLauncherOptions } from './keeperLauncher.ts';
import { LineSplitter, type Line } from './lineSplitter.ts';

const maxLineBytes = 4 * 1_048_576;
const queuedLines = 1_024;
/** How long an agent may take to end by itself before its group is killed. */
const endGraceMs = 3_000;

interface ProcessExit {
  readonly expected: boolean;
  readonly detail: string;
}

/** Starts a program under a keeper and reads it by lines, with back-pressure up to the program itself. */
export async function openKeeperProcess(
  options: KeeperLauncherOptions,
  command: AgentCommand,
  signal: AbortSignal,
): Promise<Result<LineProcess, AgentStartFailure>> {
  const splitter = new LineSplitter(maxLineBytes);
  let client: KeeperClient | undefined = undefined;
  let asked = false;
  let settle: (exit: ProcessExit) => void = () => undefined;
  const exited = new Promise<ProcessExit>(resolve => (settle = resolve));
  const queue = new AsyncQueue<Line>(queuedLines, () => client?.resume());

  const finish = (exit: ProcessExit): void => {
    settle(exit);
    queue.close();
  };
  const launched = await launchKeeper(
    options,
    command,
    {
      output: (bytes, end) => {
        for (const line of splitter.push(bytes, end)) if (!queue.push(line)) client?.pause();
      },
      exit: exit => {
        client?.end(0);
        const how = exit.signal === null ? `exit code ${String(exit.code)}` : `signal ${exit.signal}`;
        finish({ expected: asked, detail: [how, exit.errorTail.trim()].filter(Boolean).join('\n') });
      },
      lost: () => finish({ expected: asked, detail: 'the keeper went away' }),
    },
    signal,
  );
  if (!launched.ok) return { ok: false, code: 'agent_failed' };
  const attached = launched.value.client;
  client = attached;
  return ok({
    pid: attached.welcome.agentPid,
    lines: acknowledgedLines(queue, attached),
    exited,
    writeLine: text => attached.write(`${text}\n`),
    end() {
      asked = true;
      attached.end(endGraceMs);
    },
    dispose: () => attached.dispose(),
  });
}

/** Acknowledges a line when the reader asks for the next one: what it made of the line is safe by then. */
async function* acknowledgedLines(
  queue: AsyncQueue<Line>,
  client: KeeperClient,
): AsyncGenerator<string, void, void> {
  for await (const line of queue) {
    yield line.text;
    client.acknowledge(line.end);
  }
}
