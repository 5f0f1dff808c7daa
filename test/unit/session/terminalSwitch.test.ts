import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approvalDigest } from '../../../core/crypto/approvalDigest.ts';
import { agentId, blockId, sessionId } from '../../../core/protocol/ids.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import { Journal } from '../../../src/session/journal.ts';
import { SessionRestorer } from '../../../src/session/restoreSession.ts';
import { Session } from '../../../src/session/session.ts';
import { TerminalAgent } from '../../../src/session/terminalAgent.ts';
import { FakePrompts } from '../../fakes/fakePrompts.ts';
import { FakeRecord, FakeTerminal } from '../../fakes/fakeTerminal.ts';
import { ShiftableClock } from '../../fakes/shiftableClock.ts';
import { writtenLine } from './writtenLine.ts';

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

describe('a terminal whose program goes on in another conversation [T113]', () => {
  let folder: string;
  let terminal: FakeTerminal;
  let records: { readonly first: FakeRecord; readonly second: FakeRecord };
  let next: 'second' | 'taken' | undefined;
  let prompts: FakePrompts;
  let session: Session;

  const agentOf = (name: 'first' | 'second'): TerminalAgent => {
    const record = records[name];
    return new TerminalAgent(terminal, {
      record,
      nativeId: name,
      from: 0,
      ...(name === 'first' ? { prompts } : {}),
    });
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tsw-'));
    terminal = new FakeTerminal();
    records = { first: new FakeRecord('record-first'), second: new FakeRecord('record-second') };
    prompts = new FakePrompts();
    next = undefined;
    const header = {
      ...{ journal: 1 as const, session_id: sessionId.parse('s'), agent_id: agentId.parse('demo') },
      ...{ agent_name: 'Demo agent', cwd: '/work', generation: 0 },
    };
    const journal = Journal.create(join(folder, 's.jsonl'), header);
    const restorer = new SessionRestorer();
    const info = {
      ...{ type: 'agent_info' as const, ts: 1, id: blockId.parse('agent'), agent_id: header.agent_id },
      ...{ display_name: 'Demo agent', version: '1', cwd: '/work' },
      capabilities: { thinking: true, permissions: true, interrupt: true, diffs: true },
    };
    journal.append(info);
    restorer.add(info);
    let drawn = 0;
    session = new Session(journal, restorer, {
      clock: new ShiftableClock(),
      uniqueId: () => String((drawn += 1)).padStart(32, '0'),
      unit: () => 0.5,
      digest: action => approvalDigest(nodeCrypto, action),
      startAgent: () => Promise.resolve({ ok: false, code: 'agent_failed' }),
      endLeft: () => Promise.resolve(),
      canContinueInTerminal: () => true,
      startTerminal: () => Promise.resolve({ ok: true, value: agentOf('first') }),
      elsewhere: {
        isOwned: () => false,
        hasNews: () => Promise.resolve(false),
        follow: () => Promise.resolve({ ok: false, code: 'agent_missing' }),
        nextOf: ({ nativeId }) =>
          Promise.resolve(
            next === 'second' && nativeId === 'first'
              ? agentOf('second')
              : next === 'taken'
                ? next
                : undefined,
          ),
      },
    });
    assert.ok((await session.continueInTerminal()).ok);
  });
  afterEach(() => {
    session.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const written = (): string[] => [...session.history(0)].flatMap(({ block }) => writtenLine(block) ?? []);
  const asks = (id: string): void =>
    records[id === 'u1' ? 'first' : 'second'].write({ type: 'desk_prompt', id, text: id });

  it('takes the session along: what was open ends, and the other one is followed from its beginning', async () => {
    asks('u1');
    await settled();
    asks('u2');
    next = 'second';
    session.yieldToOwner();
    await settled();
    assert.equal(session.nativeId, 'second');
    assert.deepEqual(written().slice(-4), [
      'prompt u1 delivered',
      'end interrupted',
      'mirroring terminal',
      'prompt u2 delivered',
    ]);
    records.second.write({ type: 'turn_end', reason: 'completed' });
    records.first.write({ type: 'desk_prompt', id: 'u3', text: 'u3' });
    await settled();
    assert.equal(written().at(-1), 'end completed', 'the one before is not followed any more');
    assert.deepEqual(terminal.orders, [], 'its program goes on');
    terminal.exit();
    await settled();
    assert.equal(written().at(-1), 'live bridge');
    assert.equal(session.nativeId, 'second');
  });

  it('comes back when its program ends on the way', async () => {
    next = 'second';
    records.second.write({ type: 'desk_prompt', id: 'u2', text: 'u2' });
    session.yieldToOwner();
    terminal.exit();
    await settled();
    assert.equal(written().at(-1), 'live bridge');
  });

  it('stays where it is when another session has that conversation, which is said once', async () => {
    next = 'taken';
    for (let look = 0; look < 3; look += 1) {
      session.yieldToOwner();
      await settled();
    }
    assert.equal(session.nativeId, 'first');
    const said = [...session.history(0)].flatMap(({ block }) =>
      block.type === 'error' ? [block.message] : [],
    );
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', /another session has/);
  });
});
