import { messageFormat, parseJson } from '../../core/protocol/parseJson.ts';
import type { BlockId } from '../../core/protocol/ids.ts';
import { demoCommand, type DemoFrame } from '../adapters/demo/demoFrame.ts';
import type { QuestionAnswer } from '../adapters/agent.ts';
import { LineSplitter } from '../adapters/lineSplitter.ts';
import type { DemoConversation } from './conversation.ts';
import { DemoTurn, type TurnPorts } from './demoTurn.ts';
import { chooseScript } from './script.ts';

const format = messageFormat(demoCommand);
const maxLineChars = 1_048_576;

/** Speaks JSON lines with a program, through standard input and output. */
export function runInPipe(conversation: DemoConversation, settings: Pick<TurnPorts, 'cwd' | 'paceMs'>): void {
  const answers = new Map<BlockId, (allow: boolean) => void>();
  const replies = new Map<BlockId, (answer: QuestionAnswer | undefined) => void>();
  let running: AbortController | undefined;
  const ports: TurnPorts = {
    ...settings,
    emit: (frame: DemoFrame) => {
      conversation.add(frame);
      process.stdout.write(`${JSON.stringify(frame)}\n`);
    },
    ask: (id, signal) =>
      new Promise((resolve, reject) => {
        answers.set(id, resolve);
        signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true });
      }),
    question: ({ id }, signal) =>
      new Promise((resolve, reject) => {
        replies.set(id, resolve);
        signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true });
      }),
  };

  const obey = (line: string): void => {
    const parsed = parseJson(line, format, maxLineChars);
    if (!parsed.ok) return;
    const command = parsed.value;
    switch (command.type) {
      case 'prompt': {
        const { turn, text } = command;
        if (chooseScript(text).kind === 'vanish') process.exit(70);
        const controller = new AbortController();
        running = controller;
        conversation.add({ type: 'prompt', id: turn, text });
        ports.emit({ type: 'conversation', id: conversation.id });
        ports.emit({ type: 'accepted', turn });
        new DemoTurn(turn, ports, controller.signal).run(text).then(
          () => ports.emit({ type: 'turn_end', turn, reason: 'completed' }),
          () =>
            ports.emit({
              type: 'turn_end',
              turn,
              reason: controller.signal.aborted ? 'interrupted' : 'error',
            }),
        );
        return;
      }
      case 'answer':
        answers.get(command.id)?.(command.allow);
        answers.delete(command.id);
        return;
      case 'reply': {
        const reply = replies.get(command.id);
        if (!replies.delete(command.id)) return;
        ports.emit({ type: 'answered', id: command.id });
        reply?.(command.answer);
        return;
      }
      case 'interrupt':
        running?.abort();
        return;
    }
  };

  const splitter = new LineSplitter(maxLineChars);
  let received = 0;
  process.stdin.on('data', (bytes: Buffer) => {
    received += bytes.length;
    for (const line of splitter.push(bytes, received)) obey(line.text);
  });
  // The keeper closes our input when it ends or dies: an agent never outlives it.
  process.stdin.on('end', () => process.exit(0));
}
