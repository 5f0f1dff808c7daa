import type { AgentBlock, AgentEvent, ConversationRecord } from '../../src/adapters/agent.ts';

const deadlineMs = 45_000;

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;
type BlockOf<T extends AgentBlock['type']> = Extract<AgentBlock, { type: T }>;

/** All that the record of a conversation has told while it was followed, to be waited for. */
export class FollowedRecord {
  readonly events: AgentEvent[] = [];
  readonly #finished = new AbortController();
  readonly #waiting = new Set<() => void>();
  readonly #ended: Promise<void>;

  constructor(record: ConversationRecord, from: number) {
    this.#ended = this.#follow(record, from);
  }

  get prompts(): readonly string[] {
    return this.events.flatMap(event => (event.type === 'desk_prompt' ? [event.text] : []));
  }

  get ends(): readonly EventOf<'turn_end'>['reason'][] {
    return this.events.flatMap(event => (event.type === 'turn_end' ? [event.reason] : []));
  }

  blocks<T extends AgentBlock['type']>(type: T): readonly BlockOf<T>[] {
    return this.events
      .filter(event => event.type === 'block')
      .map(event => event.block)
      .filter((block): block is BlockOf<T> => block.type === type);
  }

  get texts(): readonly string[] {
    return this.blocks('text').map(block => block.text);
  }

  /** Waits for the end of the turn with this number, from 1. @returns how it ended */
  async turn(number: number): Promise<EventOf<'turn_end'>['reason'] | undefined> {
    await this.until(`the end of turn ${String(number)}`, () => this.ends.length >= number);
    return this.ends[number - 1];
  }

  until(what: string, check: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(look);
        reject(new Error(`waited in vain for: ${what}; told: ${JSON.stringify(this.events)}`));
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

  /** Nobody writes any more. Settles when all that is there has been read. */
  async finish(): Promise<readonly AgentEvent[]> {
    this.#finished.abort();
    await this.#ended;
    return this.events;
  }

  async #follow(record: ConversationRecord, from: number): Promise<void> {
    for await (const event of record.follow(from, this.#finished.signal)) {
      this.events.push(event);
      for (const look of this.#waiting) look();
    }
  }
}
