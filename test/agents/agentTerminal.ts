import headless from '@xterm/headless';
import { spawn, type IPty } from 'node-pty';
import type { AgentCommand } from '../../src/adapters/agent.ts';

const deadlineMs = 45_000;
/** After how long somebody notices that a key did nothing. */
const againMs = 1_500;
const size = { cols: 110, rows: 50 };

export const keys = { enter: '\r', escape: '\x1b', eraseLine: '\x15' } as const;

/** A user before the agent's own terminal program: sees the screen and types. */
export class AgentTerminal {
  readonly #pty: IPty;
  readonly #screen = new headless.Terminal({ ...size, scrollback: 2_000, allowProposedApi: true });
  readonly #waiting = new Set<() => void>();
  #code: number | undefined;

  constructor(command: AgentCommand, cwd: string, env: Readonly<Record<string, string>>) {
    const [program = '', ...args] = command.argv;
    const all = { ...env, ...command.env };
    this.#pty = spawn(program, args, { ...size, name: 'xterm-256color', cwd, env: all });
    this.#pty.onData(output => this.#screen.write(output, () => this.#look()));
    // The program asks its terminal what it can do.
    this.#screen.onData(answer => this.#pty.write(answer));
    this.#pty.onExit(({ exitCode }) => {
      this.#code = exitCode;
      this.#look();
    });
  }

  /** What is on the screen now, without what has scrolled away. */
  get screen(): string {
    const buffer = this.#screen.buffer.active;
    return Array.from({ length: size.rows }, (_, row) =>
      (buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? '').trimEnd(),
    )
      .join('\n')
      .replaceAll('\u00a0', ' ');
  }

  /** The screen, and what has scrolled away as far as the terminal keeps it. */
  get everything(): string {
    const buffer = this.#screen.buffer.active;
    return Array.from({ length: buffer.length }, (_, row) =>
      (buffer.getLine(row)?.translateToString(true) ?? '').trimEnd(),
    ).join('\n');
  }

  /** Waits until the screen shows something. */
  async shows(what: string | RegExp): Promise<void> {
    await this.#until(`on the screen: ${String(what)}`, () =>
      typeof what === 'string' ? this.screen.includes(what) : what.test(this.screen),
    );
  }

  press(text: string): void {
    this.#pty.write(text);
  }

  /** Answers a dialog. One that has just come may pass over a key, so that no typing answers it: then once more. */
  async answer(key: string, question: string): Promise<void> {
    await this.shows(question);
    this.press(key);
    const again = setInterval(() => this.press(key), againMs);
    try {
      await this.#until(`the end of: ${question}`, () => !this.screen.includes(question));
    } finally {
      clearInterval(again);
    }
  }

  /** Types, and enters what was typed once it is drawn. */
  async enter(text: string): Promise<void> {
    this.press(text);
    // A terminal and its program may differ on how wide a letter is: a space may follow.
    await this.shows(new RegExp(`^[❯!] ${text.replace(/[^\w ]/g, '. ?')}`, 'm'));
    this.press(keys.enter);
  }

  /** Pastes, and enters what was pasted once it is drawn, in short or in full. */
  async enterPasted(text: string): Promise<void> {
    const lines = text.split('\n');
    this.press(`\x1b[200~${lines.join('\r')}\x1b[201~`);
    const last = (lines.at(-1) ?? '').replace(/[^\w ]/g, '.');
    await this.shows(new RegExp(`^[❯!] .*Pasted text|^ +${last}$`, 'm'));
    this.press(keys.enter);
  }

  /** @returns the exit code, once the program is gone */
  async exit(): Promise<number> {
    await this.#until('the end of the program', () => this.#code !== undefined);
    return this.#code ?? -1;
  }

  async dispose(): Promise<void> {
    if (this.#code === undefined) this.#pty.kill('SIGKILL');
    await this.exit();
    this.#screen.dispose();
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }

  #until(what: string, check: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new Error(`waited in vain ${what}; on the screen:\n${this.screen}`));
      }, deadlineMs);
      const look = (): void => {
        if (!check()) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}
