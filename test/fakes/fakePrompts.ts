import { Emitter } from '../../core/base/emitter.ts';
import { blockId, type BlockId } from '../../core/protocol/ids.ts';
import type { ToolInput } from '../../core/protocol/block/toolBlocks.ts';
import type { QuestionAnswer } from '../../src/adapters/agent.ts';
import type { TerminalPrompt, TerminalPrompts } from '../../src/adapters/terminalSupport.ts';

/** Dialogs of a terminal, as a test says; those that are answered are gone. Ids of prompts and of their parts are the same. */
export class FakePrompts implements TerminalPrompts {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  /** What was told of them, in order. */
  readonly told: string[];
  open: readonly TerminalPrompt[];
  needsDesk = false;

  /** @param told what others were told before */
  constructor(open: readonly TerminalPrompt[] = [], told: readonly string[] = []) {
    this.open = open;
    this.told = [...told];
  }

  propose(id: string, input: ToolInput): void {
    const action = {
      ...{ id: blockId.parse(id), tool: 'Bash', title: 'x', input, cwd: '/work', risk: 'high' as const },
      options: [
        { id: 'allow', label: 'Allow', kind: 'allow_once' as const },
        { id: 'deny', label: 'Deny', kind: 'deny' as const },
      ],
    };
    this.#add({ id, tool: 'Bash', input, parts: [{ type: 'proposal', action }] });
  }

  question(id: string, text: string): void {
    const question = {
      ...{ id: blockId.parse(id), header: 'H', text, options: [{ id: 'a', label: 'A' }] },
      ...{ multiple: false, allow_custom: true, position: 1, chain_length: 1 },
    };
    this.#add({ id, tool: 'AskUserQuestion', input: {}, parts: [{ type: 'question', question }] });
  }

  close(id: string): void {
    this.open = this.open.filter(prompt => prompt.id !== id);
    this.#changed.fire();
  }

  need(needsDesk: boolean): void {
    this.needsDesk = needsDesk;
    this.#changed.fire();
  }

  respondPermission(id: BlockId, optionId: string): void {
    this.told.push(`${id} ${optionId}`);
    this.close(id);
  }

  answerQuestion(id: BlockId, answer: QuestionAnswer | undefined): void {
    this.told.push(`${id} ${JSON.stringify(answer)}`);
    this.close(id);
  }

  interrupt(): boolean {
    const { open } = this;
    for (const { id } of open) {
      this.told.push(`${id} interrupted`);
      this.close(id);
    }
    return open.length > 0;
  }

  settle(id: string): void {
    this.told.push(`${id} settled`);
    this.close(id);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #add(prompt: TerminalPrompt): void {
    this.open = [...this.open, prompt];
    this.#changed.fire();
  }
}
