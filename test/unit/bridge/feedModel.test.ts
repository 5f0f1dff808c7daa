import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { Emitter } from '../../../core/base/emitter.ts';
import type { Block } from '../../../core/protocol/block/block.ts';
import { agentId, blockId, sessionId } from '../../../core/protocol/ids.ts';
import { bridgeMessage, type BridgeMessage } from '../../../core/protocol/message.ts';
import {
  cursorOf,
  emptyConversation,
  reduceConversation,
  type Conversation,
} from '../../../phone/state/conversation.ts';
import { feedStart, isOfOther } from '../../../src/bridge/feedStart.ts';
import { SessionFeed, type FeedSource } from '../../../src/bridge/sessionFeed.ts';
import type { GrowingBlock } from '../../../src/session/liveText.ts';
import type { SessionUpdate } from '../../../src/session/sessionRecord.ts';
import { StoppedClock } from '../../fakes/stoppedClock.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** A session whose record a test writes; it outlives the bridge, except for what still grows. */
class WrittenSession {
  readonly blocks: Block[] = [];
  generation = 0;
  #now = 1;
  readonly #growing = new Map<string, GrowingBlock>();
  readonly #updated = new Emitter<SessionUpdate>();
  readonly #changed = new Emitter<void>();

  readonly source: FeedSource;

  constructor() {
    const generation = (): number => this.generation;
    const growing = (): readonly GrowingBlock[] => [...this.#growing.values()];
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
          title: 'x',
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
      carried: [],
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
    const block = { type: 'text' as const, ts: (this.#now += 1), id: blockId.parse(id), text, done };
    if (done) this.#growing.delete(id);
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

/** One phone; its channel can end after any message, and it can forget or fall back to what it once knew. */
class Reader {
  conversation: Conversation = emptyConversation;
  readonly #session: WrittenSession;
  readonly #clock = new StoppedClock();
  readonly #patches: boolean;
  #feed: SessionFeed | undefined;
  #left = Infinity;
  #open = false;
  restarts = 0;

  constructor(session: WrittenSession, patches: boolean) {
    this.#session = session;
    this.#patches = patches;
  }

  /** @param messages after which the channel ends */
  connect(messages = Infinity): void {
    this.#feed?.dispose();
    this.#left = messages;
    this.#open = true;
    const cursor = cursorOf(this.conversation);
    // Refused as `stale_session`: what is here is longer than the record, so it is another one.
    if (cursor.since_seq > this.#session.source.lastSeq && !isOfOther(cursor, this.#session.source))
      this.conversation = emptyConversation;
    const start = feedStart(
      {
        type: 'resume',
        ...cursorOf(this.conversation),
        ...(this.#patches ? { capabilities: ['patch1'] } : {}),
      },
      this.#session.source,
    );
    const isOpen = (): boolean => this.#open;
    this.#feed = new SessionFeed(
      this.#session.source,
      {
        get isOpen() {
          return isOpen();
        },
        send: message => Promise.resolve(this.#hear(message)),
      },
      this.#clock,
      start,
    );
  }

  end(): void {
    this.#open = false;
    this.#feed?.dispose();
  }

  #hear(message: BridgeMessage): boolean {
    if (!this.#open || this.#left <= 0) return false;
    this.#left -= 1;
    const told = bridgeMessage.parse(JSON.parse(JSON.stringify(message)));
    if (told.kind === 'response' || told.kind === 'window') return true;
    this.conversation = reduceConversation(this.conversation, told, digest);
    if (this.conversation.broken) {
      this.restarts += 1;
      this.conversation = emptyConversation;
      this.end();
    }
    return true;
  }
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('write' as const), id: fc.nat(4), done: fc.boolean() }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('grow' as const), id: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('connect' as const), messages: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('phone forgets' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('phone falls back' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('bridge restarts' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('record is lost' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end is lost' as const), count: fc.nat(4) }) },
);

describe('a phone that follows a session, whatever breaks on the way', () => {
  it('knows in the end exactly what the record says, with patches and without [T49] [T50] [R42]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }),
        fc.boolean(),
        async (steps, patches) => {
          const session = new WrittenSession();
          const phone = new Reader(session, patches);
          const kept: Conversation[] = [emptyConversation];
          let words = 0;
          for (const each of steps) {
            switch (each.kind) {
              case 'write':
                session.write(`t${String(each.id)}`, `written ${String((words += 1))} 😀`, each.done);
                break;
              case 'grow':
                session.grow(`t${String(each.id)}`, `growing 漢字 ${'x'.repeat((words += 1))}`);
                break;
              case 'connect':
                phone.connect(each.messages);
                break;
              case 'phone forgets':
                phone.end();
                phone.conversation = emptyConversation;
                break;
              case 'phone falls back':
                phone.end();
                phone.conversation = kept[words % kept.length] ?? emptyConversation;
                break;
              case 'bridge restarts':
                phone.end();
                session.forgetGrowing();
                break;
              case 'end is lost':
                phone.end();
                session.loseEnd(each.count);
                break;
              case 'record is lost':
                phone.end();
                session.beginAnew();
                break;
            }
            await settled();
            if (phone.conversation.seq > 0) kept.push({ ...phone.conversation, complete: false });
          }
          phone.end();
          session.forgetGrowing();
          // What grew and was never written ends with its turn, as a session does it.
          for (let id = 0; id <= 4; id += 1) session.write(`t${String(id)}`, `last of ${String(id)}`, true);
          const { restarts } = phone;
          phone.connect();
          await settled();
          await settled();
          assert.equal(phone.restarts, restarts, 'nothing had to be read again');
          const { conversation } = phone;
          assert.equal(conversation.complete, true);
          assert.equal(conversation.seq, session.blocks.length);
          assert.equal(conversation.generation, session.generation);
          const texts = new Map(
            session.blocks.map(block => [block.id, block.type === 'text' ? block.text : '']),
          );
          assert.equal(conversation.entries.size, texts.size);
          for (const [id, text] of texts) {
            const entry = conversation.entries.get(id);
            assert.ok(entry?.type === 'text', id);
            assert.equal(entry.text, text);
          }
          phone.end();
        },
      ),
    );
  });
});
