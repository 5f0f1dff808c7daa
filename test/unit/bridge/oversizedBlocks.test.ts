import assert from 'node:assert/strict';
import { fail, ok } from '../../../core/base/result.ts';
import { blockId, requestId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import { bridgeMessage, type BridgeMessage } from '../../../core/protocol/message.ts';
import { SessionFeed, type FeedReader, type FeedStart } from '../../../src/bridge/sessionFeed.ts';
import { tellHistory } from '../../../src/bridge/tellHistory.ts';
import { Desk } from '../../fakes/desk.ts';
import { blockTypes, fullestBlock } from '../../fakes/fullestBlock.ts';
import { StoppedClock } from '../../fakes/stoppedClock.ts';
import { WrittenSession } from '../../fakes/writtenSession.ts';

const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const fromTheStart: FeedStart = { sinceSeq: 0, isSnapshot: false, takesPatches: false };

/** A connection that carries some messages; the others are too large for it. */
class NarrowReader implements FeedReader {
  readonly told: BridgeMessage[] = [];
  readonly #fits: (message: BridgeMessage) => boolean;

  constructor(fits = (message: BridgeMessage): boolean => JSON.stringify(message).length < 1_000) {
    this.#fits = fits;
  }

  send: FeedReader['send'] = message => {
    if (!this.#fits(message)) return Promise.resolve(fail('too_large'));
    this.told.push(message);
    return Promise.resolve(ok(undefined));
  };
}

const long = 'x'.repeat(2_000);

describe('a session with something in it that is too long for a frame', () => {
  let desk: Desk;
  beforeEach(async () => {
    desk = await Desk.create();
  });
  afterEach(() => desk.dispose());

  /** A feed over a real channel, and what its phone opens of it. */
  async function follow(session: WrittenSession) {
    const phone = await desk.connect('s1');
    await desk.say(phone, 'hello');
    const channel = desk.controls[0]?.channel ?? assert.fail();
    const feed = new SessionFeed(session.source, channel, desk.clock, fromTheStart);
    const told: BridgeMessage[] = [];
    const hear = async (kind: BridgeMessage['kind']): Promise<BridgeMessage> => {
      for (let round = 0; round < 2_000; round += 1) {
        for (const message of await desk.read(phone)) told.push(bridgeMessage.parse(message));
        const found = told.find(message => message.kind === kind);
        if (found) return found;
        await settled();
      }
      return assert.fail(`no ${kind} came`);
    };
    return { told, hear, feed };
  }

  it('is told on over a real channel, whatever fills its blocks, and so are heartbeats [R54]', async () => {
    const session = new WrittenSession();
    for (const type of blockTypes) session.append(fullestBlock(type, '\u0001'));
    const { told, hear, feed } = await follow(session);
    await hear('replay_done');
    assert.deepEqual(
      told.flatMap(message => (message.kind === 'event' ? [[message.seq, message.block.type]] : [])),
      blockTypes.map((type, index) => [index + 1, type]),
    );
    desk.clock.shift(20_000);
    assert.deepEqual(await hear('heartbeat'), { kind: 'heartbeat', last_seq: blockTypes.length });
    feed.dispose();
  });

  it('sends nothing that the protocol does not allow: it is named in the log, and all else is told', async () => {
    const session = new WrittenSession();
    session.title = 'a title of which nobody may hear '.repeat(10);
    session.write('a', 'x'.repeat(limits.textChars + 1), true);
    session.append({ type: 'mode_changed', ts: 3, id: blockId.parse('m'), mode: 'not a mode' });
    session.write('b', 'short', true);
    const { told, hear, feed } = await follow(session);
    desk.clock.shift(20_000);
    assert.deepEqual(await hear('heartbeat'), { kind: 'heartbeat', last_seq: 3 });
    assert.deepEqual(
      told.map(message => (message.kind === 'event' ? [message.seq, message.block.type] : message.kind)),
      [[1, 'text'], [2, 'error'], [3, 'text'], 'heartbeat'],
    );
    const refused = desk.logger.lines.filter(line => line.startsWith('channel.invalid'));
    assert.deepEqual(
      refused.map(line => line.replace('channel.invalid ', '')),
      [
        { device: 'd_1', kind: 'event', seq: 1, type: 'text' },
        { device: 'd_1', kind: 'event', seq: 2, type: 'mode_changed' },
        { device: 'd_1', kind: 'event', seq: 2, type: 'mode_changed' },
        { device: 'd_1', kind: 'replay_done' },
      ].map(fields => JSON.stringify(fields)),
    );
    feed.dispose();
  });

  it('has an error in the place of what no form of fits, and goes on after it', async () => {
    const session = new WrittenSession();
    const clock = new StoppedClock();
    const phone = new NarrowReader();
    session.carried = [{ type: 'mode_changed', ts: 1, id: blockId.parse('m'), mode: 'plan' }];
    session.write('before', 'short', true);
    session.write('long', long, true);
    const feed = new SessionFeed(session.source, phone, clock, { ...fromTheStart, isSnapshot: true });
    await settled();
    session.write('after', 'short', true);
    await settled();
    clock.pass(20_000);
    await settled();
    const events = phone.told.flatMap(message => (message.kind === 'event' ? [message] : []));
    assert.deepEqual(
      events.map(({ seq, block }) => [seq, block.id, block.type, block.ts]),
      [
        [1, 'before', 'text', session.blocks[0]?.ts],
        [2, 'long', 'error', session.blocks[1]?.ts],
        [3, 'after', 'text', session.blocks[2]?.ts],
      ],
    );
    assert.deepEqual(phone.told.at(-1), { kind: 'heartbeat', last_seq: 3 });
    feed.dispose();
  });

  it('tells the present in a snapshot although a part of it does not fit', async () => {
    const session = new WrittenSession();
    const phone = new NarrowReader();
    const text = { type: 'text' as const, ts: 1, done: true };
    session.carried = [
      { ...text, id: blockId.parse('c1'), text: long },
      { ...text, id: blockId.parse('c2'), text: 'short' },
    ];
    const feed = new SessionFeed(session.source, phone, new StoppedClock(), {
      ...fromTheStart,
      isSnapshot: true,
    });
    await settled();
    const live = phone.told.flatMap(message => (message.kind === 'live' ? [message.block] : []));
    assert.deepEqual(
      live.map(({ id, type }) => [id, type]),
      [
        ['c1', 'error'],
        ['c2', 'text'],
      ],
    );
    assert.equal(phone.told.at(-1)?.kind, 'replay_done');
    feed.dispose();
  });

  it('leaves out a growing form that does not fit, and tells what comes after it at once', async () => {
    for (const takesPatches of [false, true]) {
      const session = new WrittenSession();
      session.grow('t', long);
      session.grow('u', 'short');
      const phone = new NarrowReader();
      const start = { ...fromTheStart, takesPatches };
      const feed = new SessionFeed(session.source, phone, new StoppedClock(), start);
      await settled();
      const kinds = phone.told.map(({ kind }) => kind);
      assert.deepEqual(kinds, ['replay_done', takesPatches ? 'patch' : 'live']);
      feed.dispose();
    }
  });

  it('is followed to its end even where nothing can be told', async () => {
    const session = new WrittenSession();
    session.write('a', 'short', true);
    session.write('b', 'short', true);
    session.grow('u', 'short');
    const phone = new NarrowReader(({ kind }) => kind === 'live' || kind === 'heartbeat');
    const clock = new StoppedClock();
    const feed = new SessionFeed(session.source, phone, clock, fromTheStart);
    await settled();
    assert.deepEqual(
      phone.told.map(({ kind }) => kind),
      ['live'],
    );
    clock.pass(20_000);
    await settled();
    assert.deepEqual(phone.told.at(-1), { kind: 'heartbeat', last_seq: 2 });
    feed.dispose();
  });

  it('has no hole in a page of its past', async () => {
    const session = new WrittenSession();
    const phone = new NarrowReader();
    session.write('a', 'short', true);
    session.write('b', long, true);
    session.write('c', 'short', true);
    const request = {
      type: 'history_request' as const,
      request_id: requestId.parse('h'),
      before_seq: 4,
      limit: 50,
    };
    await tellHistory(phone, session.source, request);
    assert.deepEqual(
      phone.told.map(message =>
        message.kind === 'history' ? [message.seq, message.block.type] : message.kind,
      ),
      [[3, 'text'], [2, 'error'], [1, 'text'], 'response'],
    );
  });
});
