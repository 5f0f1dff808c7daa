import assert from 'node:assert/strict';
import { fail } from '../../../core/base/result.ts';
import { agentId, sessionId } from '../../../core/protocol/ids.ts';
import { externalSession } from '../../../core/protocol/response.ts';
import { createDemoAdapter } from '../../../src/adapters/demo/demoAdapter.ts';
import type { ExternalConversation } from '../../../src/adapters/external.ts';
import { externalRow, ExternalSessions } from '../../../src/bridge/externalSessions.ts';
import type { ForeignOwner } from '../../../src/session/ownerWatch.ts';
import type { BoundConversation } from '../../../src/session/sessionStorePorts.ts';

const demo = agentId.parse('demo');

describe('conversations that are not ours yet [T106] [T107]', () => {
  let kept: ExternalConversation[];
  let owners: ForeignOwner[];
  let held: Set<string>;
  let scans: number;
  let done: string[];
  let cwd: string | undefined;
  let external: ExternalSessions;

  const conversation = (nativeId: string, updatedAt: number, folder = '/work'): ExternalConversation => ({
    nativeId,
    cwd: folder,
    title: `title of ${nativeId}`,
    updatedAt,
  });
  const owner = (nativeId: string, folder = '/work'): ForeignOwner => ({
    agent: demo,
    pid: 1,
    start: '1',
    nativeId,
    cwd: folder,
    activity: 'idle',
    updatedAt: 5,
  });
  const take =
    (verb: string) =>
    (_id: unknown, _agent: unknown, { nativeId, cwd: folder }: BoundConversation) => {
      done.push(`${verb} ${nativeId} in ${folder}`);
      return fail('busy' as const);
    };

  beforeEach(() => {
    kept = [];
    owners = [];
    held = new Set();
    scans = 0;
    done = [];
    cwd = '/work';
    const command = { argv: [], env: {} };
    const adapter = {
      ...createDemoAdapter(command, '/nowhere'),
      external: {
        programs: [],
        scan: (folder: string) => {
          scans += 1;
          return Promise.resolve(kept.filter(each => each.cwd === folder));
        },
        owners: () => [],
        openRecord: () => assert.fail(),
      },
    };
    external = new ExternalSessions({
      cwd: () => cwd,
      agents: () => [{ adapter, detected: { version: '1', command } }],
      owners: () => owners,
      sessions: {
        all: [],
        sessionOf: (_agent, nativeId) => (held.has(nativeId) ? 's' : undefined),
        bind: take('bind'),
        fork: take('fork'),
      },
    });
  });

  const ids = async (limit = 10): Promise<readonly string[]> =>
    (await external.list(limit)).map(({ nativeId, owner: who }) =>
      who === undefined ? nativeId : `${nativeId}!`,
    );

  it('are those of the window’s folder, who is in one first, then the newest, and none that a session has', async () => {
    kept = [conversation('old', 1), conversation('new', 9), conversation('live', 3), conversation('ours', 8)];
    owners = [owner('live'), owner('begun', '/work/sub'), owner('elsewhere', '/work-2'), owner('above', '/')];
    held.add('ours');
    assert.deepEqual(await ids(), ['begun!', 'live!', 'new', 'old']);
    assert.deepEqual(await ids(2), ['begun!', 'live!']);
    assert.deepEqual(
      external.live.map(({ nativeId }) => nativeId),
      ['live', 'begun'],
    );
    assert.deepEqual(await external.list(10, agentId.parse('other')), []);
    cwd = undefined;
    assert.deepEqual(await ids(), []);
    assert.deepEqual(external.live, []);
  });

  it('are looked for once, however many ask meanwhile', async () => {
    kept = [conversation('a', 1)];
    await Promise.all([ids(), ids(), ids()]);
    assert.equal(scans, 1);
    await ids();
    assert.equal(scans, 2);
  });

  it('are told in rows that hold whatever an agent’s file says', async () => {
    kept = [
      { ...conversation('a', -5), title: ` x\n\u0000${'long '.repeat(100)}` },
      { ...conversation('b', 1), title: undefined },
    ];
    for (const row of (await external.list(10)).map(externalRow))
      assert.ok(externalSession.safeParse(row).success, JSON.stringify(row));
  });

  it('become a session only when they are of this folder, and not twice', async () => {
    kept = [conversation('a', 1), conversation('far', 1, '/other')];
    owners = [owner('begun', '/work/sub')];
    const bind = (nativeId: string) => external.bind(sessionId.parse('n'), demo, nativeId);
    assert.deepEqual(await bind('far'), fail('not_found'));
    assert.deepEqual(await bind('unheard-of'), fail('not_found'));
    held.add('a');
    assert.deepEqual(await bind('a'), fail('request_conflict'));
    held.delete('a');
    await bind('a');
    await bind('begun');
    assert.deepEqual(done, ['bind a in /work', 'bind begun in /work/sub']);
  });

  it('can be copied as well', async () => {
    kept = [conversation('a', 1)];
    await external.fork(sessionId.parse('n'), demo, 'a');
    assert.deepEqual(await external.fork(sessionId.parse('n'), demo, 'unheard-of'), fail('not_found'));
    assert.deepEqual(done, ['fork a in /work']);
  });
});
