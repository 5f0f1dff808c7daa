import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { turnId } from '../../core/protocol/ids.ts';
import type { DemoFrame } from '../adapters/demo/demoFrame.ts';
import type { DemoConversation } from './conversation.ts';
import { DemoTurn, type TurnPorts } from './demoTurn.ts';
import { TerminalPrinter } from './terminalPrinter.ts';

/** The demo agent as a person uses it: a prompt, answers below, and a question before anything runs. */
export async function runInTerminal(
  conversation: DemoConversation,
  settings: Pick<TurnPorts, 'cwd' | 'paceMs'>,
): Promise<void> {
  const printer = new TerminalPrinter(text => void process.stdout.write(text));
  printer.welcome();
  for (const frame of conversation.frames) printer.print(frame, { isHistory: true });

  const lines = createInterface({ input: process.stdin, output: process.stdout });
  let running: AbortController | undefined;
  // As in other agents: Ctrl+C stops what runs, and leaves when nothing does.
  lines.on('SIGINT', () => {
    if (running) running.abort();
    else lines.close();
  });
  const closed = new AbortController();
  lines.once('close', () => {
    running?.abort();
    closed.abort();
  });

  const ports: TurnPorts = {
    ...settings,
    emit: (frame: DemoFrame) => {
      conversation.add(frame);
      printer.print(frame);
    },
    ask: async (_id, signal) =>
      /^y(es)?$/i.test((await lines.question('  Allow it? (y/n) ', { signal })).trim()),
  };

  while (!closed.signal.aborted) {
    const prompt = await lines.question('\n› ', { signal: closed.signal }).catch(() => undefined);
    if (prompt === undefined || prompt.trim() === '/exit') break;
    if (prompt.trim() === '') continue;
    const id = randomUUID();
    const turn = turnId.parse(`turn_${id}`);
    const controller = new AbortController();
    running = controller;
    conversation.add({ type: 'prompt', id, text: prompt });
    const reason = await new DemoTurn(turn, ports, controller.signal).run(prompt).then(
      () => 'completed' as const,
      () => (controller.signal.aborted ? ('interrupted' as const) : ('error' as const)),
    );
    ports.emit({ type: 'turn_end', turn, reason });
    running = undefined;
  }
  lines.close();
  printer.farewell();
}
