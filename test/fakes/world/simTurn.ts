import { createHash } from 'node:crypto';
import { blockId, type BlockId, type TurnId } from '../../../core/protocol/ids.ts';
import type { DemoFrame } from '../../../src/adapters/demo/demoFrame.ts';
import type { SimConversation } from './simProcess.ts';

/** Something that the agent did because somebody allowed it. */
export interface SimEffect {
  readonly id: string;
  readonly command: string;
}

/** One turn of the simulated agent; a prompt with `ask` wants to run something. */
export class SimTurn {
  readonly #frames: (() => readonly DemoFrame[])[];
  readonly #conversation: SimConversation;
  readonly #turn: TurnId;
  readonly #tool: BlockId;
  readonly #command: string;
  #allowed: boolean | undefined;
  #isAsking = false;
  #isInterrupted = false;
  isOver = false;

  constructor(turn: TurnId, text: string, conversation: SimConversation) {
    this.#turn = turn;
    this.#conversation = conversation;
    this.#tool = idOf(turn, 'tool');
    this.#command = `do ${text}`;
    const words = idOf(turn, 'text');
    this.#frames = [
      () => {
        conversation.prompts.push(text);
        return [{ type: 'accepted', turn }];
      },
      () => [{ type: 'delta', id: words, role: 'text', text: `Heard ${text}. ` }],
      () => [{ type: 'delta_end', id: words }],
      ...(text.includes('ask') ? [() => this.#ask(), () => this.#act()] : []),
      () => this.#finish('completed'),
    ];
  }

  /** Nothing happens before somebody answers. */
  get isWaiting(): boolean {
    return this.#isAsking && this.#allowed === undefined && !this.#isInterrupted;
  }

  step(): readonly DemoFrame[] {
    if (this.isWaiting) return [];
    if (this.#isInterrupted) return this.#finish('interrupted');
    return this.#frames.shift()?.() ?? [];
  }

  answer(id: BlockId, allow: boolean): void {
    if (id === idOf(this.#turn, 'ask')) this.#allowed ??= allow;
  }

  interrupt(): void {
    this.#isInterrupted = true;
  }

  #ask(): readonly DemoFrame[] {
    this.#isAsking = true;
    const shown = { name: 'Bash', title: this.#command, input: { command: this.#command } };
    return [
      { type: 'tool', id: this.#tool, kind: 'execute', ...shown },
      { type: 'ask', id: idOf(this.#turn, 'ask'), tool_id: this.#tool, cwd: '/work', risk: 'high', ...shown },
    ];
  }

  #act(): readonly DemoFrame[] {
    this.#isAsking = false;
    if (this.#allowed === true)
      this.#conversation.effects.push({ id: idOf(this.#turn, 'ask'), command: this.#command });
    return [
      { type: 'tool_end', id: this.#tool, outcome: this.#allowed === true ? 'ok' : 'denied', content: '' },
    ];
  }

  #finish(reason: 'completed' | 'interrupted'): readonly DemoFrame[] {
    this.isOver = true;
    return [{ type: 'turn_end', turn: this.#turn, reason }];
  }
}

/** An id that the agent draws, the same for the same turn. */
function idOf(turn: TurnId, kind: string): BlockId {
  return blockId.parse(`${createHash('sha256').update(turn).digest('hex').slice(0, 12)}.${kind}`);
}
