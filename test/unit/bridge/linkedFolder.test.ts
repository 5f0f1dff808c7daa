import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentId, sessionId } from '../../../core/protocol/ids.ts';
import type { AgentAdapter } from '../../../src/adapters/agentAdapter.ts';
import { createDemoAdapter } from '../../../src/adapters/demo/demoAdapter.ts';
import type { ExternalConversation } from '../../../src/adapters/external.ts';
import { ExternalSessions } from '../../../src/bridge/externalSessions.ts';
import type { ForeignOwner } from '../../../src/session/ownerWatch.ts';

const demo = agentId.parse('demo');

describe('conversations of a window’s folder that are not ours [T106]', () => {
  let folder: string;
  let place: string;
  let kept: ExternalConversation[];
  let owners: ForeignOwner[];
  let taken: Set<string>;
  let asked: string[];
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tes-')));
    place = join(folder, 'project');
    mkdirSync(join(place, 'sub'), { recursive: true });
    kept = [];
    owners = [];
    taken = new Set();
    asked = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function open(cwd: string | undefined): ExternalSessions {
    const command = { argv: [], env: {} };
    const adapter: AgentAdapter = {
      ...createDemoAdapter(command, folder),
      external: {
        programs: [],
        scan: from => Promise.resolve(kept.filter(each => each.cwd === from)),
        owners: () => [],
        openRecord: () => assert.fail(),
      },
    };
    return new ExternalSessions({
      cwd: () => cwd,
      agents: () => [{ adapter, detected: { version: '1', command } }],
      owners: () => owners,
      sessions: {
        all: [],
        fork: () => assert.fail(),
        sessionOf: (_agent, nativeId) => (taken.has(nativeId) ? 's' : undefined),
        bind: (_id, _agent, { nativeId, cwd: where }) => {
          asked.push(`${nativeId} in ${where}`);
          return { ok: false, code: 'busy' };
        },
      },
    });
  }
  const conversation = (nativeId: string, updatedAt = 1, cwd = place): ExternalConversation => ({
    nativeId,
    cwd,
    title: nativeId,
    updatedAt,
  });
  const owner = (nativeId: string, cwd = place): ForeignOwner => ({
    ...{ agent: demo, pid: 7, start: '1', nativeId, cwd },
    activity: 'idle',
    updatedAt: 0,
  });
  const listed = async (sessions: ExternalSessions): Promise<readonly string[]> =>
    (await sessions.list(9)).map(({ nativeId }) => nativeId);

  it('are listed with those first in which somebody is, and without those that sessions have', async () => {
    kept = [conversation('old', 1), conversation('new', 2), conversation('busy', 0), conversation('ours', 9)];
    owners = [owner('busy'), owner('below', join(place, 'sub')), owner('elsewhere', folder)];
    taken.add('ours');
    assert.deepEqual(await listed(open(place)), ['busy', 'below', 'new', 'old']);
    assert.deepEqual(await listed(open(undefined)), []);
  });

  it('are those of a folder also when the editor has opened it through a link', async () => {
    const link = join(folder, 'link');
    symlinkSync(place, link);
    kept = [conversation('kept')];
    owners = [owner('live')];
    assert.deepEqual(await listed(open(link)), ['live', 'kept']);
    assert.deepEqual(await listed(open(join(folder, 'gone'))), []);
  });

  it('are taken up where they are, and nothing else under whatever id', async () => {
    kept = [conversation('kept')];
    owners = [owner('below', join(place, 'sub')), owner('elsewhere', folder)];
    taken.add('ours');
    const sessions = open(place);
    const bind = (nativeId: string) => sessions.bind(sessionId.parse('x'), demo, nativeId);
    for (const [nativeId, code] of [
      ['kept', 'busy'],
      ['below', 'busy'],
      ['elsewhere', 'not_found'],
      ['ours', 'request_conflict'],
      ['../kept', 'not_found'],
    ] as const)
      assert.deepEqual(await bind(nativeId), { ok: false, code });
    assert.deepEqual(asked, [`kept in ${place}`, `below in ${join(place, 'sub')}`]);
  });
});
