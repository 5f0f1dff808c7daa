import type { DemoFrame } from '../adapters/demo/demoFrame.ts';

const bold = (text: string): string => `\u001b[1m${text}\u001b[22m`;
const dim = (text: string): string => `\u001b[2m${text}\u001b[22m`;
const resultLines = 8;

/** Draws what the demo agent says for people at a terminal. */
export class TerminalPrinter {
  readonly #write: (text: string) => void;
  #isOpen = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  welcome(): void {
    this.#line(bold('Demo agent'));
    this.#line(dim('A script, not a model. /exit leaves; in Terminull the conversation goes on.'));
  }

  farewell(): void {
    this.#line(dim('Left.'));
  }

  /** @param options.isHistory of an earlier run: prompts are drawn too, which are on the screen otherwise */
  print(frame: DemoFrame, options: { readonly isHistory?: boolean } = {}): void {
    switch (frame.type) {
      case 'prompt':
        if (options.isHistory === true) this.#line(`\n› ${frame.text}`);
        return;
      case 'delta':
        if (!this.#isOpen) this.#write('\n');
        this.#isOpen = true;
        this.#write(frame.role === 'thinking' ? dim(frame.text) : frame.text);
        return;
      case 'delta_end':
        if (this.#isOpen) this.#write('\n');
        this.#isOpen = false;
        return;
      case 'tool':
        this.#line(`\n● ${bold(frame.title)}`);
        return;
      case 'tool_end': {
        const lines = frame.content.trimEnd().split('\n');
        for (const line of lines.slice(0, resultLines)) this.#line(dim(`  ${line}`));
        if (lines.length > resultLines)
          this.#line(dim(`  … ${String(lines.length - resultLines)} more lines`));
        return;
      }
      case 'diff':
        this.#line(dim(`  ${frame.path} +${String(frame.added)} -${String(frame.removed)}`));
        return;
      case 'turn_end':
        if (frame.reason !== 'completed') this.#line(dim(`\n${frame.reason}`));
        return;
      case 'ask':
      case 'question':
      case 'answered':
      case 'accepted':
      case 'conversation':
        return;
    }
  }

  #line(text: string): void {
    this.#write(`${text}\n`);
  }
}
