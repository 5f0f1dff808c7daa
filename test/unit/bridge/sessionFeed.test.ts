import assert from 'node:assert/strict';
import { ok } from '../../../core/base/result.ts';
import { openText } from '../../../core/channel/channelFrame.ts';
import { blockId, requestId } from '../../../core/protocol/ids.ts';
import { bridgeMessage, type BridgeMessage } from '../../../core/protocol/message.ts';
import { SessionFeed, type FeedReader, type FeedStart } from '../../../src/bridge/sessionFeed.ts';
import { tellHistory } from '../../../src/bridge/tellHistory.ts';
import { unhandledDuring } from '../session/brokenDisk.ts';
import { Desk } from '../../fakes/desk.ts';
import { StoppedClock } from '../../fakes/stoppedClock.ts';
import { WrittenSession } from '../../fakes/writtenSession.ts';

const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const fromTheStart: FeedStart = { sinceSeq: 0, isSnapshot: false, takesPatches: false };

describe('what a phone opens of a session over a real channel', () => {
  let desk: Desk;
  beforeEach(async () => {
    desk = await Desk.create();
  });
  afterEach(() => desk.dispose());

  it('says of each block when it was written, and of a page of history that it is one [T51] [K12]', async () => {
    const session = new WrittenSession();
    const times = [1_700_000_000.001, 1_700_000_500.25, 1_700_001_000];
    for (const [index, ts] of times.entries())
      session.append({ type: 'text', ts, id: blockId.parse(`t${String(index)}`), text: 'x', done: true });
    const phone = await desk.connect('s1');
    await desk.say(phone, 'hello');
    const channel = desk.controls[0]?.channel ?? assert.fail();
    const feed = new SessionFeed(session.source, channel, desk.clock, { ...fromTheStart, sinceSeq: 2 });
    for (let round = 0; round < 20; round += 1) await settled();
    const request = {
      type: 'history_request' as const,
      request_id: requestId.parse('h'),
      before_seq: 3,
      limit: 50,
    };
    await tellHistory(channel, session.source, request);
    feed.dispose();
    const opened = [];
    for (const frame of desk.sent.splice(0)) {
      if (frame.type !== 'block') continue;
      // Class, time and replay are part of what is sealed: another value does not open.
      const { hint, replay, timeMs } = frame;
      const text = await openText(phone, frame);
      assert.ok(text.ok);
      const message = bridgeMessage.parse(JSON.parse(text.value));
      opened.push([message.kind, 'seq' in message ? message.seq : undefined, hint, replay, timeMs]);
    }
    const now = desk.clock.now();
    const said = opened.filter(([kind]) => kind === 'event' || kind === 'history');
    assert.deepEqual(said, [
      ['event', 3, 'text', false, 1_700_001_000_000],
      ['history', 2, 'text', true, 1_700_000_500_250],
      ['history', 1, 'text', true, 1_700_000_000_001],
    ]);
    for (const [kind, , hint, replay, timeMs] of opened.filter(each => !said.includes(each))) {
      assert.deepEqual([hint, replay], [kind === 'response' ? 'control' : 'state', false]);
      assert.ok(typeof timeMs === 'number' && Math.abs(now - timeMs) < 60_000, 'it is said now');
    }
  });
});

/** Where a reader can begin. */
const starts = [fromTheStart, { ...fromTheStart, isSnapshot: true }, { ...fromTheStart, sinceSeq: 1 }];

describe('a session that goes on while a phone is told what it missed', () => {
  it('is heard from the beginning: whatever is written or grows meanwhile is told [R42]', async () => {
    for (const start of starts)
      for (const at of ['event', 'replay_done'] as const) {
        const session = new WrittenSession();
        for (const id of ['a', 'b', 'c']) session.write(id, 'past', true);
        const told: BridgeMessage[] = [];
        let happened = false;
        const send: FeedReader['send'] = async message => {
          await settled();
          if (message.kind === at && !happened) {
            happened = true;
            session.write('d', 'present', true);
            session.title = 'new';
            session.grow('e', 'growing');
          }
          await settled();
          told.push(message);
          return ok(undefined);
        };
        const feed = new SessionFeed(session.source, { send }, new StoppedClock(), start);
        for (let round = 0; round < 50; round += 1) await settled();
        feed.dispose();
        const seqs = told.flatMap(message => (message.kind === 'event' ? [message.seq] : []));
        assert.deepEqual(seqs, [1, 2, 3, 4].slice(start.sinceSeq));
        const grown = told.flatMap(message => (message.kind === 'live' ? [message.block.id] : []));
        assert.deepEqual(grown, ['e'], `grew during ${at}`);
        const summary = told.findLast(message => 'summary' in message);
        assert.ok(summary && 'summary' in summary);
        assert.equal(summary.summary.title, 'new');
      }
  });

  it('never goes back to an earlier form of a text that was written meanwhile', async () => {
    const session = new WrittenSession();
    const told: string[] = [];
    const send: FeedReader['send'] = async message => {
      await settled();
      if (message.kind === 'event' || message.kind === 'live')
        told.push(message.block.type === 'text' ? message.block.text : '');
      return ok(undefined);
    };
    const feed = new SessionFeed(session.source, { send }, new StoppedClock(), fromTheStart);
    session.grow('t', 'one');
    session.write('t', 'one two', false);
    for (let round = 0; round < 20; round += 1) await settled();
    session.grow('t', 'one two three');
    for (let round = 0; round < 20; round += 1) await settled();
    feed.dispose();
    assert.deepEqual(told, ['one two', 'one two three']);
  });
});

describe('a session whose record cannot be read for a moment', () => {
  it('is told from where it is once it can be, and nothing is left to nobody', async () => {
    const session = new WrittenSession();
    session.append({ type: 'text', ts: 1, id: blockId.parse('t1'), text: 'x', done: true });
    const { source } = session;
    const clock = new StoppedClock();
    const told: string[] = [];
    let feed: SessionFeed | undefined;
    const readable = source.history.bind(source);
    source.history = () => {
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    };
    const unhandled = await unhandledDuring(async () => {
      const send = ({ kind }: { readonly kind: string }) => {
        told.push(kind);
        return Promise.resolve(ok(undefined));
      };
      feed = new SessionFeed(source, { send }, clock, fromTheStart);
      await settled();
    });
    source.history = readable;
    clock.pass(20_000);
    for (let round = 0; round < 10; round += 1) await settled();
    feed?.dispose();
    assert.deepEqual([unhandled, told], [[], ['event', 'replay_done', 'heartbeat']]);
  });
});
