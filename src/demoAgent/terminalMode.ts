import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { turnId } from '../../core/protocol/ids.ts';
import type { DemoFrame } from '../adapters/demo/demoFrame.ts';
import type { DemoConversation } from './conversation.ts';
import { DemoTurn, type TurnPorts } from './demoTurn.ts';
import { TerminalPrinter } from './terminalPrinter.ts';

const controlC = 0x03;

/** The demo agent as a person uses it: a prompt, answers below, and a question before anything runs. */
export async function runInTerminal(
  conversation: DemoConversation,
  settings: Pick<TurnPorts, 'cwd' | 'paceMs'>,
): Promise<void> {
  const printer = new TerminalPrinter(text => void process.stdout.write(text));
  printer.welcome();
  for (const frame of conversation.frames) printer.print(frame, { isHistory: true });
  for (;;) {
    const prompt = await ask('\n› ');
    if (prompt === undefined || prompt.trim() === '/exit') break;
    if (prompt.trim() !== '') await runTurn(prompt, conversation, printer, settings);
  }
  printer.farewell();
}

async function runTurn(
  prompt: string,
  conversation: DemoConversation,
  printer: TerminalPrinter,
  settings: Pick<TurnPorts, 'cwd' | 'paceMs'>,
): Promise<void> {
  const id = randomUUID();
  const turn = turnId.parse(`turn_${id}`);
  const controller = new AbortController();
  const emit = (frame: DemoFrame): void => {
    conversation.add(frame);
    printer.print(frame);
  };
  // As in other agents: Ctrl+C stops what runs.
  const listen = listenFor(controlC, () => controller.abort());
  const ports: TurnPorts = {
    ...settings,
    emit,
    async ask() {
      listen.stop();
      const answer = await ask('  Allow it? (y/n) ');
      listen.start();
      if (answer === undefined) controller.abort();
      controller.signal.throwIfAborted();
      return /^y(es)?$/i.test((answer ?? '').trim());
    },
    async question({ text, options }) {
      listen.stop();
      const lines = options.map(({ label }, index) => `  ${String(index + 1)}) ${label}`);
      const answer = await ask([`  ${text}`, ...lines, '  Number or own words: '].join('\n'));
      listen.start();
      if (answer === undefined) controller.abort();
      controller.signal.throwIfAborted();
      const chosen = options[Number(answer) - 1];
      const custom = (answer ?? '').trim();
      if (chosen !== undefined) return { selected: [chosen.id] };
      return custom === '' ? undefined : { custom };
    },
  };
  conversation.add({ type: 'prompt', id, text: prompt });
  listen.start();
  const reason = await new DemoTurn(turn, ports, controller.signal).run(prompt).then(
    () => 'completed' as const,
    () => (controller.signal.aborted ? ('interrupted' as const) : ('error' as const)),
  );
  listen.stop();
  emit({ type: 'turn_end', turn, reason });
}

/** @returns a line; undefined when the person left instead, by Ctrl+C or at the end of input */
async function ask(question: string): Promise<string | undefined> {
  // One for each question: between them, a resized terminal would have a prompt drawn into the answer.
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new AbortController();
  lines.on('SIGINT', () => closed.abort());
  lines.once('close', () => closed.abort());
  try {
    return await lines.question(question, { signal: closed.signal });
  } catch {
    return undefined;
  } finally {
    lines.close();
  }
}

/** Hears one key while nothing else reads what is typed. */
function listenFor(key: number, heard: () => void): { start(): void; stop(): void } {
  const onData = (bytes: Buffer): void => {
    if (bytes.includes(key)) heard();
  };
  return {
    start() {
      process.stdin.setRawMode(true);
      process.stdin.on('data', onData);
      process.stdin.resume();
    },
    stop() {
      process.stdin.off('data', onData);
      process.stdin.pause();
      process.stdin.setRawMode(false);
    },
  };
}
