import { Emitter } from '../../core/base/emitter.ts';
import type { Block } from '../../core/protocol/block/block.ts';
import { agentId, blockId, sessionId } from '../../core/protocol/ids.ts';
import type { FeedSource } from '../../src/bridge/sessionFeed.ts';
import type { GrowingBlock } from '../../src/session/liveText.ts';
import type { SessionUpdate } from '../../src/session/sessionRecord.ts';

/** A session whose record a test writes; it outlives the bridge, except for what still grows. */
export class WrittenSession {
  readonly blocks: Block[] = [];
  generation = 0;
  title = 'x';
  /** Told with a snapshot. */
  carried: readonly Block[] = [];
  #now = 1;
  readonly #growing = new Map<string, GrowingBlock>();
  readonly #updated = new Emitter<SessionUpdate>();
  readonly #changed = new Emitter<void>();

  readonly source: FeedSource;

  constructor() {
    const generation = (): number => this.generation;
    const growing = (): readonly GrowingBlock[] => [...this.#growing.values()];
    const title = (): string => this.title;
    const carried = (): readonly Block[] => this.carried;
    const { blocks } = this;
    this.source = {
      get header() {
        return {
          journal: 1 as const,
          session_id: sessionId.parse('s'),
          agent_id: agentId.parse('demo'),
          agent_name: 'Demo',
          cwd: '/',
          generation: generation(),
        };
      },
      get summary() {
        return {
          session_id: sessionId.parse('s'),
          agent_id: agentId.parse('demo'),
          agent_name: 'Demo',
          title: title(),
          cwd: '/',
          activity: 'idle' as const,
          updated_at: 1,
          waiting: 0,
        };
      },
      get lastSeq() {
        return blocks.length;
      },
      get growing() {
        return growing();
      },
      get carried() {
        return carried();
      },
      *history(since) {
        for (let seq = since + 1; seq <= blocks.length; seq += 1) {
          const block = blocks[seq - 1];
          if (block) yield { seq, block };
        }
      },
      onDidUpdate: listener => this.#updated.event(listener),
      onDidChange: listener => this.#changed.event(listener),
    };
  }

  write(id: string, text: string, done: boolean): void {
    if (done) this.#growing.delete(id);
    this.append({ type: 'text', ts: (this.#now += 1), id: blockId.parse(id), text, done });
  }

  append(block: Block): void {
    this.blocks.push(block);
    this.#updated.fire({ type: 'event', seq: this.blocks.length, block });
    this.#changed.fire();
  }

  grow(id: string, text: string): void {
    const block = { type: 'text' as const, ts: 1, id: blockId.parse(id), text, done: false };
    this.#growing.set(id, block);
    this.#updated.fire({ type: 'live', block });
  }

  /** The bridge restarts: what was not written is gone. */
  forgetGrowing(): void {
    this.#growing.clear();
  }

  /** The machine lost power: the disk never had the newest blocks. */
  loseEnd(count: number): void {
    this.blocks.length = Math.max(0, this.blocks.length - count);
    this.#growing.clear();
  }

  /** The record is another one now, as after it was lost. */
  beginAnew(): void {
    this.blocks.length = 0;
    this.#growing.clear();
    this.generation += 1;
  }
}
