import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { blockId, type BlockId, type TurnId } from '../../core/protocol/ids.ts';
import type { ToolInput } from '../../core/protocol/block/toolBlocks.ts';
import type { QuestionAnswer } from '../adapters/agent.ts';
import type { DemoFrame } from '../adapters/demo/demoFrame.ts';
import { appendDiff } from './appendDiff.ts';
import { chooseScript } from './script.ts';

const notesFile = 'demo-notes.md';
const commandTimeoutMs = 60_000;
const outputChars = 16_384;

export type DemoQuestion = Extract<DemoFrame, { type: 'question' }>;

export interface TurnPorts {
  readonly cwd: string;
  /** Pause between two pieces of text, in milliseconds. */
  readonly paceMs: number;
  emit(frame: DemoFrame): void;
  /** Settles with the user's answer; rejects when the turn is interrupted. */
  ask(id: BlockId, signal: AbortSignal): Promise<boolean>;
  /** Settles with the user's answer, or undefined when nobody gives one; rejects when the turn is interrupted. */
  question(frame: DemoQuestion, signal: AbortSignal): Promise<QuestionAnswer | undefined>;
}

/** One turn of the demo agent: a fixed script that does real work in the workspace. */
export class DemoTurn {
  readonly #turn: TurnId;
  readonly #ports: TurnPorts;
  readonly #signal: AbortSignal;
  #count = 0;

  constructor(turn: TurnId, ports: TurnPorts, signal: AbortSignal) {
    this.#turn = turn;
    this.#ports = ports;
    this.#signal = signal;
  }

  /** Rejects with the signal's reason when interrupted. */
  async run(prompt: string): Promise<void> {
    const script = chooseScript(prompt);
    switch (script.kind) {
      case 'introduce':
        await this.#introduce();
        return;
      case 'write':
        await this.#write(prompt);
        return;
      case 'run':
        await this.#runCommand(script.command);
        return;
      case 'ask':
        await this.#askUser(/\bseveral\b/i.test(prompt));
        return;
      case 'count':
        await this.#countSlowly();
        return;
      case 'crash':
        await this.#say('text', 'I was told to crash, so this sentence will not be fin');
        process.exit(70);
      case 'vanish':
        process.exit(70);
    }
  }

  async #introduce(): Promise<void> {
    await this.#say(
      'thinking',
      'The user wants to know what I can do. I am a scripted agent, so I will say so plainly.',
    );
    await this.#say(
      'text',
      [
        'I am the **demo agent**: a script, not a model. I need no account, and everything I do here is real.',
        '',
        'Try one of these:',
        '',
        '- `write a note` asks for permission, then changes a file in this workspace; `write a long note` shows how a long',
        '  request is read to its end before it can be allowed',
        '- `run node --version` asks for permission, then runs that command',
        '- `ask me` asks you something, and `ask me several` takes more than one answer',
        '- `count slowly` goes on for a while, so that you can interrupt it',
        '- `crash` ends my process in the middle of a sentence',
        '',
        '```ts',
        'const promise = "nothing runs before you allow it";',
        '```',
      ].join('\n'),
    );
  }

  async #write(prompt: string): Promise<void> {
    await this.#say(
      'thinking',
      `A note is wanted. I will add one line to ${notesFile}, and ask before I touch it.`,
    );
    await this.#say('text', `I will add your note to \`${notesFile}\`.`);
    const words = prompt.replaceAll(/\s+/g, ' ').trim().slice(0, 160);
    const line = /\blong note\b/i.test(prompt) ? longNote(words) : `- ${words}`;
    const title = `Add a line to ${notesFile}`;
    const input: ToolInput = { file_path: notesFile, append: `${line}\n` };
    const tool = await this.#proposeTool('Write', title, 'edit', input, 'medium');
    if (!tool.allowed) {
      await this.#say('text', 'You denied it, so nothing was changed.');
      return;
    }
    const path = join(this.#ports.cwd, notesFile);
    const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const base = before === '' || before.endsWith('\n') ? before : `${before}\n`;
    writeFileSync(path, `${base}${line}\n`);
    this.#ports.emit({
      type: 'diff',
      id: this.#id('diff'),
      tool_id: tool.id,
      path: notesFile,
      unified: appendDiff(notesFile, base, line),
      added: 1,
      removed: 0,
    });
    this.#ports.emit({ type: 'tool_end', id: tool.id, outcome: 'ok', content: `Wrote ${notesFile}` });
    await this.#say('text', `Done: \`${notesFile}\` has one more line.`);
  }

  async #runCommand(command: string): Promise<void> {
    await this.#say('text', 'I will run this command in the workspace.');
    const tool = await this.#proposeTool('Bash', command.slice(0, 200), 'execute', { command }, 'high');
    if (!tool.allowed) {
      await this.#say('text', 'You denied it, so nothing was run.');
      return;
    }
    const { output, code } = await runShell(command, this.#ports.cwd, this.#signal);
    this.#ports.emit({
      type: 'tool_end',
      id: tool.id,
      outcome: code === 0 ? 'ok' : 'error',
      content: output,
    });
    await this.#say(
      'text',
      code === 0 ? 'The command succeeded.' : `The command failed with exit code ${String(code)}.`,
    );
  }

  async #askUser(multiple: boolean): Promise<void> {
    const options = [
      { id: 'tea', label: 'Tea', description: 'Green, if there is some' },
      { id: 'coffee', label: 'Coffee' },
    ];
    const frame: DemoQuestion = {
      type: 'question',
      id: this.#id('question'),
      header: 'A drink',
      text: 'What would you like to drink while I work?',
      options,
      multiple,
      allow_custom: true,
    };
    this.#ports.emit(frame);
    const answer = await this.#ports.question(frame, this.#signal);
    const chosen = answer && 'selected' in answer ? answer.selected : [];
    const labels = options.filter(({ id }) => chosen.includes(id)).map(({ label }) => label);
    const words = answer && 'custom' in answer ? answer.custom : labels.join(', ');
    await this.#say('text', words === '' ? 'Nothing, then.' : `You would like this: ${words}.`);
  }

  async #countSlowly(): Promise<void> {
    const lines = Array.from({ length: 200 }, (_, index) => `Step ${String(index + 1)} of 200. `);
    await this.#say('text', lines.join('\n'), 10);
  }

  async #proposeTool(
    name: string,
    title: string,
    kind: 'edit' | 'execute',
    input: ToolInput,
    risk: 'medium' | 'high',
  ): Promise<{ id: BlockId; allowed: boolean }> {
    const id = this.#id('tool');
    this.#ports.emit({ type: 'tool', id, name, title, kind, input });
    const ask = this.#id('ask');
    this.#ports.emit({ type: 'ask', id: ask, tool_id: id, name, title, input, cwd: this.#ports.cwd, risk });
    try {
      const allowed = await this.#ports.ask(ask, this.#signal);
      if (!allowed)
        this.#ports.emit({ type: 'tool_end', id, outcome: 'denied', content: 'Denied by the user.' });
      return { id, allowed };
    } catch (error) {
      this.#ports.emit({ type: 'tool_end', id, outcome: 'interrupted', content: 'Interrupted.' });
      throw error;
    }
  }

  /** Streams a text in pieces of a few words; an interrupt ends the block where it is. */
  async #say(role: 'text' | 'thinking', text: string, slower = 1): Promise<void> {
    const id = this.#id(role);
    try {
      for (const piece of text.match(/\S+\s*|\s+/g) ?? []) {
        this.#ports.emit({ type: 'delta', id, role, text: piece });
        await delay(this.#ports.paceMs * slower, undefined, { signal: this.#signal });
      }
    } finally {
      this.#ports.emit({ type: 'delta_end', id });
    }
  }

  #id(kind: string): BlockId {
    this.#count += 1;
    return blockId.parse(`${this.#turn}.${kind}${String(this.#count)}`);
  }
}

/** Longer than what fits into one request: it has to be fetched before it can be allowed. */
function longNote(words: string): string {
  return `- ${Array.from({ length: 3_000 }, (_, index) => `${String(index + 1)}: ${words} …`).join(' ')}`;
}

function runShell(
  command: string,
  cwd: string,
  signal: AbortSignal,
): Promise<{ output: string; code: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      cwd,
      shell: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: commandTimeoutMs,
      signal,
    });
    let output = '';
    const collect = (bytes: Buffer): void => {
      output = (output + bytes.toString('utf8')).slice(0, outputChars);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('close', code => resolve({ output, code: code ?? -1 }));
  });
}
