import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '../../../core/base/emitter.ts';
import { approvalDigest } from '../../../core/crypto/approvalDigest.ts';
import { agentId, blockId, sessionId } from '../../../core/protocol/ids.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import type { AgentEvent } from '../../../src/adapters/agent.ts';
import type { AgentAdapter } from '../../../src/adapters/agentAdapter.ts';
import { createDemoAdapter } from '../../../src/adapters/demo/demoAdapter.ts';
import type { ForeignOwner, OwnersEnd } from '../../../src/session/ownerWatch.ts';
import type { Session } from '../../../src/session/session.ts';
import { SessionStore } from '../../../src/session/sessionStore.ts';
import { FakeAgent } from '../../fakes/fakeAgent.ts';
import { FakeRecord } from '../../fakes/fakeTerminal.ts';
import { RecordingLogger } from '../../fakes/recordingLogger.ts';
import { ShiftableClock } from '../../fakes/shiftableClock.ts';
import { withoutSync } from './brokenDisk.ts';
import { writtenLine } from './writtenLine.ts';

const demo = agentId.parse('demo');
const desk = { kind: 'desktop' as const };
const completed: AgentEvent = { type: 'turn_end', reason: 'completed' };
const said = (id: string): AgentEvent => ({
  type: 'block',
  block: { type: 'text', id: blockId.parse(id), text: id, done: true },
});

describe('a conversation that its user has in a terminal of their own [T101] [T107] [T108]', () => {
  let folder: string;
  let record: FakeRecord;
  let agents: FakeAgent[];
  /** How agents were started. */
  let contexts: { readonly resume: string | undefined; readonly fork: boolean }[];
  let owner: ForeignOwner | undefined;
  let gone: (how: OwnersEnd) => void;
  let changed: Emitter<void>;
  let since: number[];
  let canRead: boolean;
  /** Where what was said without a window begins. */
  let newsAt: number | undefined;
  let stores: SessionStore[];
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setImmediate(resolve));
  };

  function open(): SessionStore {
    const command = { argv: [], env: {} };
    const adapter: AgentAdapter = {
      ...createDemoAdapter(command, folder),
      start: (_agent, { resume, fork = false }) => {
        contexts.push({ resume, fork });
        const agent = new FakeAgent();
        agents.push(agent);
        agent.catchUp();
        return Promise.resolve({ ok: true, value: agent });
      },
      external: {
        programs: [],
        scan: () => Promise.resolve([]),
        owners: () => [],
        openRecord: () => ({
          sourceId: record.sourceId,
          get end() {
            return record.end;
          },
          get writtenAt() {
            return record.end === 0 ? 0 : Date.now() + 60_000;
          },
          follow: (from, finished) => record.follow(from, finished),
          placeAfter: at => {
            since.push(at);
            return canRead
              ? Promise.resolve(at === 0 ? 0 : (newsAt ?? record.end))
              : Promise.reject(new Error('unreadable'));
          },
        }),
      },
    };
    let drawn = 0;
    const store = new SessionStore({
      clock: new ShiftableClock(),
      logger: new RecordingLogger(),
      uniqueId: () => String((drawn += 1)).padStart(32, '0'),
      unit: () => 0.5,
      digest: action => approvalDigest(nodeCrypto, action),
      directory: join(folder, 'sessions'),
      cwd: () => '/work',
      findAgent: id => (id === demo ? { adapter, detected: { version: '1', command } } : undefined),
      keepers: {
        open: () => Promise.resolve({ ok: false, code: 'agent_failed' }),
        reopen: () => Promise.resolve({ ok: false, code: 'gone' }),
        openTerminal: () => Promise.resolve({ ok: false, code: 'agent_failed' }),
        reopenTerminal: () => Promise.resolve({ ok: false, code: 'gone' }),
        endOtherVersion: () => Promise.resolve(),
      },
      owners: {
        ownerOf: (_agent, nativeId) => (owner?.nativeId === nativeId ? owner : undefined),
        conversationOf: () => undefined,
        untilGone: () => new Promise(resolve => (gone = resolve)),
        onDidChange: changed.event,
      },
    });
    stores.push(store);
    return store;
  }

  /** @param isTold whether the watch tells of it */
  const comes = (isTold = true): void => {
    owner = {
      agent: demo,
      pid: 77,
      start: '1',
      nativeId: 'native-1',
      cwd: '/work',
      activity: 'idle',
      updatedAt: 1,
    };
    if (isTold) changed.fire();
  };
  const goes = (): void => {
    owner = undefined;
    gone('gone');
    changed.fire();
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tel-'));
    record = new FakeRecord();
    agents = [];
    contexts = [];
    owner = undefined;
    gone = () => undefined;
    changed = new Emitter();
    since = [];
    canRead = true;
    newsAt = undefined;
    stores = [];
  });
  afterEach(() => {
    for (const store of stores) store.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const written = (session: Session): string[] =>
    [...session.history(0)].flatMap(({ block }) => writtenLine(block) ?? []);

  function begin(store: SessionStore): Session {
    const created = store.create(sessionId.parse('s'), demo);
    assert.ok(created.ok);
    return created.value;
  }
  /** One turn of an agent of ours. */
  async function firstTurn(session: Session): Promise<FakeAgent> {
    session.prompt('first', 'p1', desk);
    await settled();
    const [agent] = agents;
    assert.ok(agent);
    for (const event of [
      { type: 'native_id', id: 'native-1' },
      { type: 'prompt_accepted' },
      completed,
    ] as const)
      agent.events.push(event);
    await settled();
    return agent;
  }

  it('is let go at once when our agent rests, read along, and taken back when its user has gone [T109] [T112] [T114]', async () => {
    const session = begin(open());
    const agent = await firstTurn(session);
    comes();
    await settled();
    assert.deepEqual(agent.orders.slice(-1), ['stop'], 'one writer');
    assert.equal(session.summary.owner, 'elsewhere');
    assert.equal(session.terminal, undefined);
    session.prompt('waits', 'p2', desk);
    record.write({ type: 'desk_prompt', id: 'd1', text: 'typed there' });
    record.write(said('answer-there'), completed);
    await settled();
    assert.equal(agents.length, 1, 'nothing is started beside it');
    assert.deepEqual(
      session.waiting.map(({ text }) => text),
      ['waits'],
    );
    assert.ok(written(session).some(line => line.includes('answer-there')));
    goes();
    await settled();
    assert.equal(session.summary.owner, undefined);
    assert.deepEqual(agents[1]?.orders, ['send waits as turn'], 'the queue goes on, with a new agent');
  });

  it('waits for our turn to end before it is let go, and gives our agent nothing more', async () => {
    const session = begin(open());
    const agent = await firstTurn(session);
    session.prompt('second', 'p2', desk);
    await settled();
    agent.events.push({ type: 'prompt_accepted' });
    session.prompt('third', 'p3', desk);
    await settled();
    comes();
    await settled();
    assert.notEqual(session.summary.owner, 'elsewhere');
    assert.ok(!agent.orders.includes('stop'), 'its turn is not cut off');
    agent.events.push(completed);
    await settled();
    assert.equal(session.summary.owner, 'elsewhere');
    assert.deepEqual(agent.orders.filter(order => order.startsWith('send')).length, 2);
    assert.deepEqual(
      session.waiting.map(({ text }) => text),
      ['third'],
    );
  });

  it('is seen before an agent of ours starts, though nobody told of it', async () => {
    const session = begin(open());
    const agent = await firstTurn(session);
    agent.events.push({ type: 'exit', expected: true, detail: '' });
    agent.events.close();
    await settled();
    comes(false);
    session.prompt('late', 'p9', desk);
    await settled();
    assert.equal(agents.length, 1);
    assert.deepEqual(
      session.waiting.map(({ text }) => text),
      ['late'],
    );
    assert.deepEqual(await session.continueInTerminal(), { ok: false, code: 'unsupported_operation' });
  });

  it('is not tried again and again when its record cannot be read', async () => {
    const session = begin(open());
    await firstTurn(session);
    canRead = false;
    comes();
    await settled();
    const tries = since.length;
    await settled();
    assert.equal(since.length, tries);
    session.prompt('waits', 'p2', desk);
    await settled();
    assert.equal(agents.length, 1, 'and nothing is written beside it');
    canRead = true;
    changed.fire();
    await settled();
    assert.equal(session.summary.owner, 'elsewhere');
  });

  it('says while it waits there for something that can be answered only there [F55]', async () => {
    const session = begin(open());
    await firstTurn(session);
    comes();
    await settled();
    assert.equal(session.summary.needs_desk, undefined);
    for (const [activity, needsDesk] of [
      ['waiting', true],
      ['running', undefined],
      ['waiting', true],
    ] as const) {
      assert.ok(owner);
      owner = { ...owner, activity };
      changed.fire();
      await settled();
      assert.equal(session.summary.needs_desk, needsDesk, activity);
    }
    goes();
    await settled();
    assert.equal(session.summary.needs_desk, undefined, 'it is with us again');
  });

  it('ends here when it is ended here, and goes on there', async () => {
    const session = begin(open());
    await firstTurn(session);
    comes();
    await settled();
    session.end();
    await settled();
    assert.equal(session.summary.activity, 'ended');
  });

  it('is taken up with all that was said, once, by whoever asks first', async () => {
    record.write({ type: 'desk_prompt', id: 'd1', text: 'said before' });
    record.write(said('old-answer'), completed);
    comes();
    const store = open();
    const bound = store.bind(sessionId.parse('b'), demo, { nativeId: 'native-1', cwd: '/work/sub' });
    assert.ok(bound.ok);
    const again = store.bind(sessionId.parse('c'), demo, { nativeId: 'native-1', cwd: '/work/sub' });
    assert.deepEqual(again, { ok: false, code: 'request_conflict' });
    const other = open().bind(sessionId.parse('d'), demo, { nativeId: 'native-1', cwd: '/work/sub' });
    assert.deepEqual(other, { ok: false, code: 'request_conflict' }, 'another window');
    for (const each of [store, open()]) {
      const same = each.bind(sessionId.parse('b'), demo, { nativeId: 'native-1', cwd: '/work/sub' });
      assert.deepEqual(same, { ok: false, code: 'request_conflict' }, 'under the same id');
      const after = each.bind(sessionId.parse('f'), demo, { nativeId: 'native-1', cwd: '/work/sub' });
      assert.deepEqual(after, { ok: false, code: 'request_conflict' }, 'it is still taken');
    }
    await settled();
    assert.deepEqual(since, [0]);
    assert.equal(bound.value.summary.title, 'said before');
    assert.equal(bound.value.summary.owner, 'elsewhere');
    assert.ok(written(bound.value).some(line => line.includes('old-answer')));
    bound.value.end();
    await settled();
    assert.ok(
      store.bind(sessionId.parse('e'), demo, { nativeId: 'native-1', cwd: '/work' }).ok,
      'free again',
    );
  });

  it('is taken back without what waits when its user goes on with something else there: that goes when a person says so', async () => {
    const session = begin(open());
    await firstTurn(session);
    record.write(said('there'), completed);
    comes();
    await settled();
    session.prompt('waits', 'p2', desk);
    await settled();
    owner = undefined;
    gone('moved_on');
    await settled();
    assert.equal(session.summary.owner, undefined);
    assert.equal(agents.length, 1, 'nothing is sent while somebody sits there');
    assert.equal(session.waiting[0]?.state, 'held');
    session.sendQueued('p2');
    await settled();
    assert.deepEqual(agents[1]?.orders, ['send waits as turn']);
  });

  it('goes on in a copy while its user is there: all that was said is told, and the agent is told to copy it once', async () => {
    record.write({ type: 'desk_prompt', id: 'd1', text: 'said before' });
    record.write(said('old-answer'), completed);
    comes();
    const store = open();
    const bound = store.bind(sessionId.parse('b'), demo, { nativeId: 'native-1', cwd: '/work' });
    assert.ok(bound.ok);
    const copy = store.fork(sessionId.parse('c'), demo, { nativeId: 'native-1', cwd: '/work' });
    assert.ok(copy.ok);
    await settled();
    assert.equal(bound.value.summary.owner, 'elsewhere');
    assert.equal(copy.value.summary.owner, undefined, 'nobody else is in the copy');
    assert.ok(written(copy.value).some(line => line.includes('old-answer')));
    assert.equal(copy.value.canContinueInTerminal, false, 'there is no copy yet');
    copy.value.prompt('first in the copy', 'p1', desk);
    await settled();
    assert.deepEqual(contexts, [{ resume: 'native-1', fork: true }]);
    agents[0]?.events.push({ type: 'native_id', id: 'native-2' });
    agents[0]?.events.push({ type: 'prompt_accepted' });
    agents[0]?.events.push(completed);
    agents[0]?.events.push({ type: 'exit', expected: true, detail: '' });
    agents[0]?.events.close();
    await settled();
    assert.equal(copy.value.canContinueInTerminal, true);
    copy.value.prompt('second', 'p2', desk);
    await settled();
    assert.deepEqual(contexts.at(-1), { resume: 'native-2', fork: false });
  });

  it('can be taken up at once when that failed because the disk was full', async () => {
    const store = open();
    const bind = (id: string) =>
      store.bind(sessionId.parse(id), demo, { nativeId: 'native-1', cwd: '/work' });
    await withoutSync(() => assert.throws(() => bind('b')));
    assert.ok(bind('c').ok);
  });

  it('is followed on after a restart, from where it was, and what was said meanwhile is told once', async () => {
    const store = open();
    comes();
    record.write({ type: 'desk_prompt', id: 'd1', text: 'one' });
    record.write(said('answer-one'), completed);
    const bound = store.bind(sessionId.parse('b'), demo, { nativeId: 'native-1', cwd: '/work' });
    assert.ok(bound.ok);
    await settled();
    store.dispose();
    record.write({ type: 'desk_prompt', id: 'd2', text: 'two' });
    record.write(said('answer-two'), completed);
    const later = open();
    await later.restore();
    await settled();
    const session = later.find(sessionId.parse('b'));
    assert.ok(session);
    assert.equal(session.summary.owner, 'elsewhere');
    for (const text of ['answer-one', 'answer-two'])
      assert.equal(written(session).filter(line => line.includes(text)).length, 1, text);
    goes();
    await settled();
    assert.equal(session.summary.owner, undefined);
  });

  it('tells what its user went on with while no window was there', async () => {
    const store = open();
    await firstTurn(begin(store));
    store.dispose();
    newsAt = record.end;
    record.write({ type: 'desk_prompt', id: 'd2', text: 'without a window' });
    record.write(said('answer-without'), completed);
    const later = open();
    await later.restore();
    await settled();
    const session = later.find(sessionId.parse('s'));
    assert.ok(session);
    assert.equal(written(session).filter(line => line.includes('answer-without')).length, 1);
    assert.equal(session.summary.owner, undefined, 'nobody is there any more');
    session.prompt('next', 'p2', desk);
    await settled();
    assert.deepEqual(agents[1]?.orders, ['send next as turn']);
  });
});
