import assert from 'node:assert/strict';
import fs, {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { AsyncQueue } from '../../../core/base/asyncQueue.ts';
import { fail, ok } from '../../../core/base/result.ts';
import { approvalDigest } from '../../../core/crypto/approvalDigest.ts';
import { agentId, sessionId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import type { AgentLine } from '../../../src/adapters/agent.ts';
import { createDemoAdapter } from '../../../src/adapters/demo/demoAdapter.ts';
import type { KeeperPort } from '../../../src/session/agentStarter.ts';
import { Journal } from '../../../src/session/journal.ts';
import { listSegments } from '../../../src/session/journalSegments.ts';
import { JournalShelf } from '../../../src/session/journalShelf.ts';
import { SessionStore } from '../../../src/session/sessionStore.ts';
import { FakeAsks } from '../../fakes/fakeAsks.ts';
import { RecordingLogger } from '../../fakes/recordingLogger.ts';
import { ShiftableClock } from '../../fakes/shiftableClock.ts';
import { untilChange } from '../../fakes/until.ts';
import { untilTrue } from '../../fakes/untilTrue.ts';
import { sampleHeader, sampleIds, sampleText } from './sampleJournal.ts';

const demo = agentId.parse('demo');

describe('the sessions of a window', () => {
  let folder: string;
  let logger: RecordingLogger;
  let stores: SessionStore[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tst-'));
    logger = new RecordingLogger();
    stores = [];
  });
  afterEach(() => {
    for (const store of stores) store.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  function open(keepers: Partial<KeeperPort> = {}): SessionStore {
    let drawn = 0;
    const command = { argv: [], env: {} };
    const adapter = createDemoAdapter(command, folder);
    const store = new SessionStore({
      clock: new ShiftableClock(),
      logger,
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
        ...keepers,
      },
    });
    stores.push(store);
    return store;
  }

  it('has room again once sessions have ended, however many there were', () => {
    const store = open();
    const create = (name: string): boolean => store.create(sessionId.parse(name), demo).ok;
    for (let n = 0; n < limits.sessionsListed; n += 1) assert.equal(create(`s${String(n)}`), true);
    assert.equal(create('too-many'), false);
    store.find(sessionId.parse('s5'))?.end();
    assert.equal(create('fits'), true);
    assert.equal(store.find(sessionId.parse('s5')), undefined);
  });

  it('does not bring back what it stopped listing', async () => {
    const store = open();
    for (let n = 0; n < limits.sessionsListed; n += 1) store.create(sessionId.parse(`s${String(n)}`), demo);
    store.find(sessionId.parse('s5'))?.end();
    store.create(sessionId.parse('fits'), demo);
    await store.restore();
    assert.equal(store.find(sessionId.parse('s5')), undefined);
  });

  it('says so when an agent cannot be started for a reason that nobody expected, and takes the next prompt', async () => {
    const store = open({ open: () => Promise.reject(new Error('full')) });
    const created = store.create(sessionId.parse('s'), demo);
    assert.ok(created.ok);
    for (const name of ['p1', 'p2']) {
      created.value.prompt(name, name, { kind: 'desktop' });
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    const told = [...created.value.history(0)].flatMap(({ block }) =>
      block.type === 'user_echo' && block.state === 'held' ? [block.text] : [],
    );
    assert.deepEqual(told, ['p1', 'p2', 'p1'], 'kept, and tried again with the next one');
    assert.ok(logger.lines.some(line => line.startsWith('agent.start_failed')));
  });

  it('can make a session again that it could not make: the disk was full, and nothing is left of it', () => {
    const store = open();
    const id = sessionId.parse('s');
    const full = (): never => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    };
    // At the head of the record, at its first entry, and before either.
    for (const [method, isFull] of [
      ['writeFileSync', (file: unknown) => typeof file === 'number'],
      ['writeFileSync', (file: unknown) => typeof file === 'string'],
      ['writeSync', () => true],
      ['fsyncSync', () => true],
    ] as const) {
      const real: (...args: never[]) => unknown = fs[method];
      const failing = mock.method(fs, method, (...args: unknown[]) => {
        const written: unknown = isFull(args[0]) ? full() : Reflect.apply(real, fs, args);
        return written;
      });
      syncBuiltinESMExports();
      try {
        assert.throws(() => store.create(id, demo), /full/);
      } finally {
        failing.mock.restore();
        syncBuiltinESMExports();
      }
      const left = readdirSync(join(folder, 'sessions')).filter(name => !name.startsWith('s.lease.'));
      assert.deepEqual(left, [], method);
    }
    assert.equal(store.find(id), undefined);
    assert.ok(store.create(id, demo).ok);
  });

  it('brings back what it can while the disk is full, and the rest once there is room', async () => {
    const first = open();
    first.create(sessionId.parse('s'), demo);
    first.dispose();
    const store = open();
    const failing = mock.method(fs, 'linkSync', () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    });
    syncBuiltinESMExports();
    try {
      await assert.doesNotReject(() => store.restore());
    } finally {
      failing.mock.restore();
      syncBuiltinESMExports();
    }
    await store.restore();
    assert.ok(store.find(sessionId.parse('s')));
  });

  for (const [method, code] of [
    ['readSync', 'EIO'],
    ['writeSync', 'ENOSPC'],
    ['ftruncateSync', 'EACCES'],
  ] as const)
    it(`brings back a session once it can, when ${method} failed for a while with ${code}`, async () => {
      const first = open();
      first.create(sessionId.parse('s'), demo);
      first.dispose();
      appendFileSync(join(folder, 'sessions', 's.jsonl'), '{"seq":2,"block":{"type":"te');
      const store = open();
      const opened = mock.method(fs, 'openSync');
      const closed = mock.method(fs, 'closeSync');
      const failing = mock.method(fs, method, () => {
        throw Object.assign(new Error(code), { code });
      });
      syncBuiltinESMExports();
      try {
        await store.restore();
        assert.equal(opened.mock.callCount(), closed.mock.callCount(), 'every file is closed again');
      } finally {
        for (const each of [opened, closed, failing]) each.mock.restore();
        syncBuiltinESMExports();
      }
      assert.equal(store.find(sessionId.parse('s')), undefined);
      await untilTrue('it is back', async () => {
        await store.restore();
        return store.find(sessionId.parse('s')) !== undefined;
      });
      assert.ok(logger.lines.every(line => !line.startsWith('journal.unreadable')));
    });

  it('lists no session that it could not bring back: another window may take it [D3]', async () => {
    const first = open();
    first.create(sessionId.parse('s'), demo);
    first.dispose();
    const address = {
      id: '0123456789abcdef',
      socketPath: '/run/s',
      token: 'x'.repeat(43),
      directory: '/run',
    };
    writeFileSync(join(folder, 'sessions', 's.keeper.json'), JSON.stringify(address), { mode: 0o600 });
    const second = open({ reopen: () => Promise.reject(new Error('full')) });
    await second.restore();
    assert.equal(second.find(sessionId.parse('s')), undefined);
    const third = open();
    await third.restore();
    assert.ok(third.find(sessionId.parse('s')));
  });

  it('says again who is talked to where a record lost it: the agent’s own id of the conversation has no place without', async () => {
    const id = sessionId.parse('s');
    const header = { ...sampleHeader, agent_id: demo, session_id: id };
    Journal.create(join(folder, 'sessions', 's.jsonl'), header).dispose();
    for (let start = 0; start < 2; start += 1) {
      const store = open();
      await store.restore();
      const told = [...(store.find(id)?.history(0) ?? [])].map(({ block }) => block);
      assert.deepEqual(
        told.map(block => block.type === 'agent_info' && [block.agent_id, block.cwd]),
        [[demo, '/work']],
      );
      store.dispose();
    }
  });

  for (const terminal of [false, true])
    it(`ends what runs of a conversation that has ended, ${terminal ? 'in its terminal' : 'under its keeper'}, and forgets it then`, async () => {
      const first = open();
      const created = first.create(sessionId.parse('s'), demo);
      assert.ok(created.ok && created.value.end().ok);
      first.dispose();
      const file = join(folder, 'sessions', 's.keeper.json');
      const place = { id: '0123456789abcdef', socketPath: '/run/s', directory: '/run' };
      writeFileSync(file, JSON.stringify({ ...place, token: 'x'.repeat(43), terminal }), { mode: 0o600 });
      let leave = (): void => undefined;
      const lines = new AsyncQueue<AgentLine>(1);
      lines.push({ text: 'what nobody reads any more', end: 1 });
      const told: string[] = [];
      const exited = new Promise<{ expected: boolean; detail: string }>(resolve => {
        leave = () => resolve({ expected: true, detail: '' });
      });
      const program = {
        pid: 1,
        sourceId: 'x',
        caughtUp: exited.then(() => undefined),
        lines,
        exited,
        directory: '/run',
        deskPid: 0,
        onDidChangeDesk: () => ({ dispose: () => undefined }),
        asks: new FakeAsks(),
        look: () => Promise.resolve(fail('gone')),
        page: () => Promise.resolve(fail('gone')),
        paste: () => Promise.resolve(fail('gone')),
        keys: () => Promise.resolve(fail('gone')),
        interrupt: () => undefined,
        writeLine: (text: string) => void told.push(text),
        acknowledge: () => undefined,
        end: () => void told.push('end'),
        dispose: () => undefined,
      };
      const reopen = () => Promise.resolve(ok(program));
      const second = open(terminal ? { reopenTerminal: reopen } : { reopen });
      await second.restore();
      assert.deepEqual(told, ['end']);
      assert.equal(existsSync(file), true, 'it is found again until it has ended');
      leave();
      await new Promise(resolve => setImmediate(resolve));
      assert.equal(existsSync(file), false);
      assert.equal(second.find(sessionId.parse('s'))?.summary.activity, 'ended');
    });

  it('is not stopped by anything that lies among its journals, and names it once', async () => {
    const first = open();
    first.create(sessionId.parse('good'), demo);
    first.dispose();
    const sessions = join(folder, 'sessions');
    mkdirSync(join(sessions, 'folder.jsonl'));
    writeFileSync(join(sessions, 'empty.jsonl'), '');
    writeFileSync(join(sessions, 'other.jsonl'), 'not a journal\n');
    const second = open();
    await second.restore();
    await second.restore();
    assert.ok(second.find(sessionId.parse('good')));
    assert.equal(logger.lines.filter(line => line.startsWith('journal.unreadable')).length, 3);
  });

  it('says once that the end of a record was cut off, and not at every start again [M68]', async () => {
    const id = sessionId.parse('s');
    open().create(id, demo);
    stores.pop()?.dispose();
    appendFileSync(join(folder, 'sessions', 's.jsonl'), '{"seq":2,"block":{"type":"te');
    for (let start = 0; start < 3; start += 1) {
      const store = open();
      await store.restore();
      const told = [...(store.find(id)?.history(0) ?? [])].filter(
        ({ block }) => block.type === 'error' && block.code === 'journal_damaged',
      );
      assert.deepEqual(
        told.map(({ seq }) => seq),
        [2],
      );
      store.dispose();
    }
    assert.equal(logger.lines.filter(line => line.startsWith('journal.cut')).length, 1);
  });

  it('keeps what comes after an entry that is damaged, and says so in its place [M68]', async () => {
    const id = sessionId.parse('s');
    const created = open().create(id, demo);
    assert.ok(created.ok);
    for (const name of ['p1', 'p2']) {
      created.value.prompt(name, name, { kind: 'desktop' });
      await untilChange(
        'it is told',
        () => !created.value.summary.activity.includes('run'),
        created.value.onDidChange,
      );
    }
    const before = [...created.value.history(0)];
    stores.pop()?.dispose();
    const path = join(folder, 'sessions', 's.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"seq":3,"block"', '"seq":3,"bl*ck"'));
    const store = open();
    await store.restore();
    const after = [...(store.find(id)?.history(0) ?? [])];
    assert.deepEqual(
      after.filter(({ seq }) => seq !== 3),
      before.filter(({ seq }) => seq !== 3),
    );
    assert.ok(after[2]?.block.type === 'error' && after[2].block.code === 'journal_damaged');
    assert.equal(store.find(id)?.prompt('p2', 'p2', { kind: 'desktop' }).ok, true);
    assert.equal(store.find(id)?.lastSeq, before.length, 'a prompt of before is not taken again');
    assert.equal(logger.lines.filter(line => line.startsWith('journal.damaged')).length, 1);
  });

  it('delivers no prompt again of which a damage hides what became of it [M69] [M71]', async () => {
    const id = sessionId.parse('s');
    const created = open().create(id, demo);
    assert.ok(created.ok);
    created.value.prompt('go', 'p1', { kind: 'desktop' });
    stores.pop()?.dispose();
    const path = join(folder, 'sessions', 's.jsonl');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    assert.match(lines[2] ?? '', /"seq":2,.*"state":"queued"/);
    const later = JSON.stringify({ seq: 4, block: { ...sampleText('later'), ts: 5 } });
    writeFileSync(path, `${[...lines.slice(0, 3), 'damaged', later].join('\n')}\n`);
    let started = 0;
    const keepers = {
      open: () => {
        started += 1;
        return Promise.resolve({ ok: false, code: 'agent_failed' } as const);
      },
    };
    for (let start = 0; start < 2; start += 1) {
      const store = open(keepers);
      await store.restore();
      const states = [...(store.find(id)?.history(4) ?? [])].flatMap(({ block }) =>
        block.type === 'user_echo' ? [`${block.client_msg_id} ${block.state}`] : [],
      );
      assert.deepEqual([states, started], [['p1 not_delivered'], 0]);
      store.dispose();
    }
  });

  it('brings back those first that went on last, in whichever file of theirs', () => {
    const sessions = join(folder, 'sessions');
    const at = { busy: 9, idle: 5 };
    for (const [name, count] of [
      ['busy', 3],
      ['idle', 1],
    ] as const) {
      const path = join(sessions, `${name}.jsonl`);
      const header = { ...sampleHeader, session_id: sessionId.parse(name) };
      const journal = Journal.create(path, header, { segmentEntries: 2 });
      for (const id of sampleIds(count)) journal.append(sampleText(id));
      journal.dispose();
      for (const { path: file, first } of listSegments(path))
        utimesSync(file, first, first > 1 ? at.busy : 1);
    }
    utimesSync(join(sessions, 'idle.jsonl'), 1, at.idle);
    const shelf = new JournalShelf(sessions, logger);
    assert.deepEqual(
      shelf.newest('/work', 1).map(({ header }) => header.session_id),
      ['busy'],
    );
  });
});
