import { createHash } from 'node:crypto';
import { blockId, type BlockId, type TurnId } from '../../../core/protocol/ids.ts';
import type { DemoFrame } from '../../../src/adapters/demo/demoFrame.ts';
import type { QuestionAnswer } from '../../../src/adapters/agent.ts';
import type { SimConversation } from './simProcess.ts';

/** Something that the agent did because somebody allowed it. */
export interface SimEffect {
  readonly id: string;
  readonly command: string;
}

/** What the agent was answered to a question. */
export interface SimReply {
  readonly id: string;
  /** Undefined when nobody answers it. */
  readonly option: string | undefined;
}

/** One turn of the simulated agent; a prompt with `ask` wants to run something, one with `query` to know something. */
export class SimTurn {
  readonly #frames: (() => readonly DemoFrame[])[];
  readonly #conversation: SimConversation;
  readonly #turn: TurnId;
  readonly #tool: BlockId;
  readonly #command: string;
  #allowed: boolean | undefined;
  #isAsking = false;
  #reply: SimReply | undefined;
  #isWondering = false;
  #isInterrupted = false;
  isOver = false;

  constructor(turn: TurnId, text: string, conversation: SimConversation) {
    this.#turn = turn;
    this.#conversation = conversation;
    this.#tool = idOf(turn, 'tool');
    this.#command = `do ${text}`;
    this.#frames = [
      () => {
        conversation.prompts.push(text);
        return [{ type: 'accepted', turn }];
      },
      ...this.#say('text', `Heard ${text}. `),
      ...(text.includes('ask') ? [() => this.#ask(), () => this.#act()] : []),
      ...(text.includes('query') ? [() => this.#wonder(), () => this.#learn()] : []),
      ...(text.startsWith('tell') ? [] : this.#say('after', 'Done with it. ')),
      () => this.#finish('completed'),
    ];
  }

  /** Nothing happens before somebody answers. */
  get isWaiting(): boolean {
    const waitsForAnswer = this.#isAsking && this.#allowed === undefined;
    const waitsForReply = this.#isWondering && this.#reply === undefined;
    return (waitsForAnswer || waitsForReply) && !this.#isInterrupted;
  }

  step(): readonly DemoFrame[] {
    if (this.isWaiting) return [];
    if (this.#isInterrupted) return this.#finish('interrupted');
    return this.#frames.shift()?.() ?? [];
  }

  answer(id: BlockId, allow: boolean): void {
    if (id === idOf(this.#turn, 'ask')) this.#allowed ??= allow;
  }

  reply(id: BlockId, answer: QuestionAnswer | undefined): void {
    if (id !== idOf(this.#turn, 'query')) return;
    const option = answer !== undefined && 'selected' in answer ? answer.selected[0] : undefined;
    this.#reply ??= { id, option };
  }

  interrupt(): void {
    this.#isInterrupted = true;
  }

  #say(name: string, text: string): (() => readonly DemoFrame[])[] {
    const id = idOf(this.#turn, name);
    return [() => [{ type: 'delta', id, role: 'text', text }], () => [{ type: 'delta_end', id }]];
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

  #wonder(): readonly DemoFrame[] {
    this.#isWondering = true;
    const options = ['yes', 'no'].map(id => ({ id: blockId.parse(id), label: id }));
    const form = { header: 'Which', text: this.#command, options, multiple: false, allow_custom: false };
    return [{ type: 'question', id: idOf(this.#turn, 'query'), ...form }];
  }

  #learn(): readonly DemoFrame[] {
    this.#isWondering = false;
    if (this.#reply?.option !== undefined) this.#conversation.replies.push(this.#reply);
    return [{ type: 'answered', id: idOf(this.#turn, 'query') }];
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
