import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail } from '../../../core/base/result.ts';
import { approvalDigest } from '../../../core/crypto/approvalDigest.ts';
import { agentId, blockId, sessionId, turnId } from '../../../core/protocol/ids.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import { createDemoAdapter } from '../../../src/adapters/demo/demoAdapter.ts';
import { Journal } from '../../../src/session/journal.ts';
import type { Session } from '../../../src/session/session.ts';
import { SessionStore } from '../../../src/session/sessionStore.ts';
import { RecordingLogger } from '../../fakes/recordingLogger.ts';
import { ShiftableClock } from '../../fakes/shiftableClock.ts';
import { untilTrue } from '../../fakes/untilTrue.ts';
import { sampleHeader } from './sampleJournal.ts';
import { writtenLine } from './writtenLine.ts';

const id = sessionId.parse('s');
const desk = { kind: 'desktop' as const };

describe('a session whose agent runs under a keeper of another version [D1] [D3]', () => {
  let folder: string;
  let store: SessionStore;
  let reopened: 'gone' | 'other_version';
  /** What was asked of keepers. */
  let asked: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tov-'));
    reopened = 'other_version';
    asked = [];
  });
  afterEach(() => {
    store.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  const file = (): string => join(folder, 'sessions', 's.keeper.json');

  function open(): SessionStore {
    let drawn = 0;
    const command = { argv: [], env: {} };
    const note = <T>(what: string, value: T): Promise<T> => {
      asked.push(what);
      return Promise.resolve(value);
    };
    return new SessionStore({
      clock: new ShiftableClock(),
      logger: new RecordingLogger(),
      uniqueId: () => String((drawn += 1)).padStart(32, '0'),
      unit: () => 0.5,
      digest: action => approvalDigest(nodeCrypto, action),
      directory: join(folder, 'sessions'),
      cwd: () => '/work',
      findAgent: () => ({ adapter: createDemoAdapter(command, folder), detected: { version: '1', command } }),
      keepers: {
        open: () => note('open', fail('agent_failed')),
        reopen: () => note('reopen', fail(reopened)),
        openTerminal: () => note('open', fail('agent_failed')),
        reopenTerminal: () => note('reopen', fail(reopened)),
        endOtherVersion: () => note('end', undefined),
      },
    });
  }

  /** In the middle of a turn, with a prompt that waits. */
  async function restore(terminal: boolean): Promise<Session> {
    const journal = Journal.create(join(folder, 'sessions', 's.jsonl'), {
      ...sampleHeader,
      agent_id: agentId.parse('demo'),
      session_id: id,
    });
    const echo = { type: 'user_echo', ts: 1, text: 'go', client_msg_id: 'p1' } as const;
    const turn_id = turnId.parse('t1');
    journal.append({ ...echo, id: blockId.parse('e1'), state: 'delivered', turn_id });
    const later = { text: 'then', client_msg_id: 'p2', state: 'queued' } as const;
    journal.append({ ...echo, ...later, id: blockId.parse('e2') });
    journal.dispose();
    const place = { id: '0123456789abcdef', socketPath: '/run/s', directory: '/run', token: 'x'.repeat(43) };
    writeFileSync(file(), JSON.stringify({ ...place, ...(terminal ? { terminal } : {}) }), { mode: 0o600 });
    store = open();
    await store.restore();
    const session = store.find(id);
    assert.ok(session);
    return session;
  }
  const written = (session: Session): string[] =>
    [...session.history(0)].flatMap(({ block }) => writtenLine(block) ?? []);

  for (const terminal of [false, true])
    it(`says so, starts nothing beside it, and ends nothing (${terminal ? 'terminal' : 'pipes'})`, async () => {
      const session = await restore(terminal);
      assert.equal(session.isOfOtherVersion, true);
      const told = [...session.history(0)].flatMap(({ block }) => (block.type === 'error' ? [block] : []));
      assert.deepEqual(
        told.map(({ code, recoverable }) => [code, recoverable]),
        [['other_version', false]],
      );
      assert.match(told[0]?.message ?? '', /Install that version again .* or end this session/);
      assert.equal(session.summary.turn_id, 't1', 'whatever runs has not ended');
      assert.ok(written(session).includes('prompt then held'));
      assert.equal(session.canContinueInTerminal, false);
      assert.ok(session.prompt('more', 'p3', desk).ok);
      await untilTrue('it is held', () => written(session).includes('prompt more held'));
      assert.deepEqual(session.interrupt(turnId.parse('t1')), { ok: false, code: 'not_running' });
      assert.deepEqual(new Set(asked), new Set(['reopen']));
      assert.ok(existsSync(file()), 'that version finds it again');
      store.dispose();
      store = open();
      await store.restore();
      assert.equal(store.find(id)?.isOfOtherVersion, true);
    });

  it('is ended with its agent when its user ends it', async () => {
    const session = await restore(false);
    assert.ok(session.end().ok);
    await untilTrue('its keeper is ended', () => asked.includes('end'));
    await untilTrue('it is forgotten', () => !existsSync(file()));
    assert.equal(session.summary.activity, 'ended');
    assert.equal(session.isOfOtherVersion, false);
  });

  it('is ended with its agent at the next start when it was ended and that failed', async () => {
    const session = await restore(false);
    reopened = 'gone';
    rmSync(file());
    assert.ok(session.end().ok);
    store.dispose();
    reopened = 'other_version';
    const place = { id: '0123456789abcdef', socketPath: '/run/s', token: 'x'.repeat(43) };
    writeFileSync(file(), JSON.stringify(place), { mode: 0o600 });
    store = open();
    await store.restore();
    assert.equal(asked.at(-1), 'end');
    assert.equal(existsSync(file()), false);
  });

  it('goes on here with the next prompt once that agent has ended, and says what became of its turn', async () => {
    const session = await restore(true);
    reopened = 'gone';
    assert.ok(session.prompt('more', 'p3', desk).ok);
    await untilTrue('another is started', () => asked.includes('open'));
    await untilTrue('it is told', () => written(session).includes('prompt more held'));
    assert.equal(session.isOfOtherVersion, false);
    assert.ok(written(session).includes('end interrupted'), written(session).join());
    assert.equal(session.summary.turn_id, undefined);
    assert.equal(existsSync(file()), false);
  });
});
