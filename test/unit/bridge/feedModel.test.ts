import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { fail, ok, type Result } from '../../../core/base/result.ts';
import { bridgeMessage, type BridgeMessage } from '../../../core/protocol/message.ts';
import {
  cursorOf,
  emptyConversation,
  reduceConversation,
  type Conversation,
} from '../../../phone/state/conversation.ts';
import { feedStart, isOfOther } from '../../../src/bridge/feedStart.ts';
import type { SendRefusal } from '../../../src/bridge/deviceChannel.ts';
import { SessionFeed } from '../../../src/bridge/sessionFeed.ts';
import { StoppedClock } from '../../fakes/stoppedClock.ts';
import { WrittenSession } from '../../fakes/writtenSession.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** One phone; its channel can end after any message, and it can forget or fall back to what it once knew. */
class Reader {
  conversation: Conversation = emptyConversation;
  readonly #session: WrittenSession;
  readonly #clock = new StoppedClock();
  readonly #patches: boolean;
  #feed: SessionFeed | undefined;
  #left = Infinity;
  /** The connection that is open: what an earlier one still carries is heard by nobody. */
  #connection: object | undefined;
  restarts = 0;

  constructor(session: WrittenSession, patches: boolean) {
    this.#session = session;
    this.#patches = patches;
  }

  /**
   * @param messages after which the channel ends
   * @param meanwhile happens while a message is on its way, one of them with each
   */
  connect(messages = Infinity, meanwhile: readonly (() => void)[] = []): void {
    this.#feed?.dispose();
    this.#left = messages;
    const connection = (this.#connection = {});
    const happenings = meanwhile.values();
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
    this.#feed = new SessionFeed(
      this.#session.source,
      {
        send: async message => {
          await settled();
          if (this.#connection !== connection) return fail('closed');
          happenings.next().value?.();
          return this.#hear(message);
        },
      },
      this.#clock,
      start,
    );
  }

  end(): void {
    this.#connection = undefined;
    this.#feed?.dispose();
  }

  #hear(message: BridgeMessage): Result<void, SendRefusal> {
    if (this.#left <= 0) return fail('closed');
    this.#left -= 1;
    const told = bridgeMessage.parse(JSON.parse(JSON.stringify(message)));
    if (told.kind === 'response' || told.kind === 'window') return ok(undefined);
    this.conversation = reduceConversation(this.conversation, told, digest);
    if (this.conversation.broken) {
      this.restarts += 1;
      this.conversation = emptyConversation;
      this.end();
    }
    return ok(undefined);
  }
}

const change = fc.record({ id: fc.nat(4), how: fc.constantFrom('write', 'write its end', 'grow') });

const step = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('change' as const), change }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('connect' as const),
      messages: fc.nat(6),
      meanwhile: fc.array(change, { maxLength: 4 }),
    }),
  },
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
        fc.array(change, { maxLength: 6 }),
        async (steps, patches, atLast) => {
          const session = new WrittenSession();
          const phone = new Reader(session, patches);
          const kept: Conversation[] = [emptyConversation];
          let words = 0;
          const happen = ({ id, how }: { readonly id: number; readonly how: string }) => {
            words += 1;
            if (how === 'grow') session.grow(`t${String(id)}`, `growing 漢字 ${'x'.repeat(words)}`);
            else session.write(`t${String(id)}`, `written ${String(words)} 😀`, how !== 'write');
          };
          const later = (changes: readonly { readonly id: number; readonly how: string }[]) =>
            changes.map(each => () => happen(each));
          for (const each of steps) {
            switch (each.kind) {
              case 'change':
                happen(each.change);
                break;
              case 'connect':
                phone.connect(each.messages, later(each.meanwhile));
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
          const ends = [0, 1, 2, 3, 4].map(id => ({ id, how: 'write its end' }));
          const wordsInTheEnd = words + atLast.length + ends.length;
          phone.connect(Infinity, later([...atLast, ...ends]));
          const isAllHeard = (): boolean =>
            words === wordsInTheEnd &&
            phone.conversation.complete &&
            phone.conversation.seq === session.blocks.length;
          for (let round = 0; round < 500 && !isAllHeard(); round += 1) await settled();
          assert.equal(words, wordsInTheEnd, 'all of it happened');
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
