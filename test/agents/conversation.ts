import type { Block } from '../../core/protocol/block/block.ts';
import { turnId } from '../../core/protocol/ids.ts';
import type {
  AgentBlock,
  AgentEvent,
  AskedQuestion,
  ProposedAction,
  QuestionAnswer,
  RunningAgent,
} from '../../src/adapters/agent.ts';

const deadlineMs = 45_000;

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;
type BlockOf<T extends AgentBlock['type']> = Extract<AgentBlock, { type: T }>;

/** A running agent and all that it has told, to be waited for. */
export class Conversation {
  readonly agent: RunningAgent;
  readonly events: AgentEvent[] = [];
  readonly #waiting = new Set<() => void>();
  #turns = 0;

  constructor(agent: RunningAgent) {
    this.agent = agent;
    void this.#follow();
  }

  /** Waits until `check` finds something in what has been told. */
  until<T>(what: string, check: (events: readonly AgentEvent[]) => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        const told = this.events.map(event => event.type).join(' ');
        reject(new Error(`waited in vain for: ${what}; told: ${told}`));
      }, deadlineMs);
      const look = (): void => {
        const found = check(this.events);
        if (found === undefined) return;
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Sends a prompt. @returns how its turn ends, once it has */
  async turn(text: string): Promise<EventOf<'turn_end'>['reason']> {
    const before = this.#ends().length;
    this.send(text);
    return this.until(`the end of the turn "${text}"`, () => this.#ends()[before]?.reason);
  }

  send(text: string): void {
    this.#turns += 1;
    this.agent.send(turnId.parse(`turn_${String(this.#turns)}`), text);
  }

  turnEnd(): Promise<EventOf<'turn_end'>['reason']> {
    return this.until('the end of the turn', () => this.#ends().at(-1)?.reason);
  }

  exit(): Promise<EventOf<'exit'>> {
    return this.until('the exit', events => events.find(event => event.type === 'exit'));
  }

  /** The first proposal that `answered` does not have yet. */
  proposal(answered: ReadonlySet<string> = new Set()): Promise<ProposedAction> {
    return this.until('a proposal', events =>
      events
        .filter(event => event.type === 'proposal')
        .map(event => event.action)
        .find(action => !answered.has(action.id)),
    );
  }

  /** All questions so far, once there are `count`. */
  questions(count: number): Promise<readonly AskedQuestion[]> {
    return this.until(`${String(count)} questions`, events => {
      const asked = events.filter(event => event.type === 'question').map(event => event.question);
      return asked.length >= count ? asked : undefined;
    });
  }

  answer(question: AskedQuestion | undefined, answer: QuestionAnswer | undefined): void {
    if (question === undefined || this.agent.answerQuestion === undefined)
      throw new Error('there is no such question, or nothing that takes its answer');
    this.agent.answerQuestion(question.id, answer);
  }

  /** Answers every proposal with one option, as they come. */
  answerAll(option: (action: ProposedAction) => string): void {
    const answered = new Set<string>();
    const look = (): void => {
      for (const event of this.events) {
        if (event.type !== 'proposal' || answered.has(event.action.id)) continue;
        answered.add(event.action.id);
        this.agent.respondPermission(event.action.id, option(event.action));
      }
    };
    this.#waiting.add(look);
    look();
  }

  blocks<T extends AgentBlock['type']>(type: T): readonly BlockOf<T>[] {
    return this.events
      .filter(event => event.type === 'block')
      .map(event => event.block)
      .filter((block): block is BlockOf<T> => block.type === type);
  }

  /** Finished texts, in order. */
  texts(role: Extract<Block['type'], 'text' | 'thinking'> = 'text'): readonly string[] {
    return this.blocks(role).flatMap(block => (block.done ? [block.text] : []));
  }

  async stop(): Promise<void> {
    this.agent.stop();
    await this.exit();
    this.agent.dispose();
  }

  #ends(): readonly EventOf<'turn_end'>[] {
    return this.events.filter(event => event.type === 'turn_end');
  }

  async #follow(): Promise<void> {
    for await (const event of this.agent.events) {
      this.events.push(event);
      for (const look of this.#waiting) look();
    }
  }
}
