import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approvalDigest } from '../../../core/crypto/approvalDigest.ts';
import { agentId, blockId, deviceId, sessionId } from '../../../core/protocol/ids.ts';
import type { ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import type { AgentEvent } from '../../../src/adapters/agent.ts';
import { Journal } from '../../../src/session/journal.ts';
import { SessionRestorer } from '../../../src/session/restoreSession.ts';
import { Session } from '../../../src/session/session.ts';
import { TerminalAgent } from '../../../src/session/terminalAgent.ts';
import { FakePrompts } from '../../fakes/fakePrompts.ts';
import { FakeRecord, FakeTerminal } from '../../fakes/fakeTerminal.ts';
import { StoppedClock } from '../../fakes/stoppedClock.ts';
import { writtenLine } from './writtenLine.ts';

const desktop = { kind: 'desktop' as const };
const phone = { kind: 'device' as const, deviceId: deviceId.parse('d'.repeat(32)), name: 'Phone' };

describe('dialogs of an agent’s own terminal', () => {
  let folder: string;
  let clock: StoppedClock;
  let record: FakeRecord;
  let prompts: FakePrompts;
  let terminal: FakeTerminal;
  let session: Session;

  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise(resolve => setImmediate(resolve));
      clock.pass(0);
    }
  };
  const say = async (...events: AgentEvent[]): Promise<void> => {
    record.write(...events);
    await settled();
  };
  const written = (): readonly string[] =>
    [...session.history(0)]
      .flatMap(({ block }) => writtenLine(block) ?? [])
      .filter(line => /^(?:ask|resolved|question)/.test(line));
  const call = (id: string, input: ToolInput): AgentEvent => ({
    type: 'block',
    block: {
      type: 'tool_call',
      id: blockId.parse(id),
      name: 'Bash',
      title: 'x',
      kind: 'execute',
      input,
      status: 'running',
    },
  });
  const result = (id: string, outcome: 'ok' | 'denied' | 'error'): AgentEvent => ({
    type: 'block',
    block: {
      ...{ type: 'tool_result', content: '', truncated: false, outcome },
      id: blockId.parse(`${id}.r`),
      tool_call_id: blockId.parse(id),
    },
  });
  const input = { command: 'rm -rf build' };
  const pending = () => session.pending[0];
  const prompt = (id: string): AgentEvent => ({ type: 'desk_prompt', id, text: 'typed' });
  const begin = (): Promise<void> => say(prompt('one'), call('call-1', input));

  function sessionOf(journal: Journal, restorer: SessionRestorer): Session {
    let drawn = journal.lastSeq;
    return new Session(journal, restorer, {
      clock,
      uniqueId: () => String((drawn += 1)).padStart(32, '0'),
      unit: () => 0.5,
      digest: action => approvalDigest(nodeCrypto, action),
      safety: { hasPosixShell: true, look: () => undefined },
      startAgent: () => Promise.resolve({ ok: false, code: 'agent_failed' }),
      endLeft: () => Promise.resolve(),
      canContinueInTerminal: () => true,
      startTerminal: () =>
        Promise.resolve({
          ok: true,
          value: new TerminalAgent(terminal, { record, nativeId: 'native', from: record.end, prompts }),
        }),
    });
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dd-'));
    clock = new StoppedClock();
    record = new FakeRecord();
    prompts = new FakePrompts();
    terminal = new FakeTerminal();
    const journal = Journal.create(join(folder, 's.jsonl'), {
      journal: 1,
      session_id: sessionId.parse('s'),
      agent_id: agentId.parse('demo'),
      agent_name: 'Demo agent',
      cwd: '/work',
      generation: 0,
    });
    session = sessionOf(journal, new SessionRestorer());
    assert.ok((await session.continueInTerminal()).ok);
    await settled();
  });
  afterEach(() => {
    session.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The editor goes and comes back; the terminal has been there all along. */
  async function restart(): Promise<void> {
    session.dispose();
    const restorer = new SessionRestorer();
    const opened = Journal.open(join(folder, 's.jsonl'), entry => restorer.add(entry.block, entry.from));
    assert.ok(opened);
    const { told } = prompts;
    const { open } = prompts;
    prompts = new FakePrompts(open, told);
    session = sessionOf(opened.journal, restorer);
    session.resume(
      new TerminalAgent(terminal, {
        record,
        nativeId: 'native',
        from: restorer.mirroredFrom?.end ?? 0,
        prompts,
      }),
      restorer.lastLine,
    );
    await settled();
  }

  it('are requests with the exact action, its digest and its call; what a phone answers is told to the program [M62]', async () => {
    await begin();
    prompts.propose('p1', input);
    await settled();
    const request = pending();
    assert.ok(request);
    assert.deepEqual(
      [request.id, request.tool_call_id, request.input, request.cwd, request.expires_at, request.turn_id],
      ['p1', 'call-1', input, '/work', undefined, 'turn_one'],
    );
    assert.equal(session.summary.activity, 'awaiting_approval');
    const other = '0'.repeat(64);
    assert.deepEqual(session.answer(request.id, 'allow', other, phone), {
      ok: false,
      code: 'digest_mismatch',
    });
    assert.deepEqual(prompts.told, []);
    assert.ok(session.answer(request.id, 'allow', request.digest, phone).ok);
    assert.deepEqual(prompts.told, ['p1 allow']);
    assert.deepEqual(session.answer(request.id, 'deny', request.digest, phone), {
      ok: false,
      code: 'stale_approval',
    });
    await say(result('call-1', 'ok'));
    assert.deepEqual(written(), ['ask p1', 'resolved p1 true device']);
    assert.equal(session.summary.activity, 'running');
  });

  it('are closed as answered in the terminal when the desk is first, by whatever it is seen', async () => {
    await begin();
    prompts.propose('p1', input);
    await settled();
    const request = pending();
    prompts.close('p1');
    await settled();
    assert.deepEqual(written(), ['ask p1', 'resolved p1 false terminal']);
    assert.deepEqual(
      session.answer(request?.id ?? blockId.parse('x'), 'allow', request?.digest ?? '', phone),
      {
        ok: false,
        code: 'stale_approval',
      },
    );
    await say(result('call-1', 'ok'));
    assert.deepEqual(written().slice(2), ['resolved p1 true terminal'], 'how, is known now');
    await say(call('call-2', { command: 'b' }));
    prompts.propose('p2', { command: 'b' });
    await settled();
    await say(result('call-2', 'ok'));
    assert.deepEqual(prompts.told, ['p2 settled']);
    assert.deepEqual(written().slice(3), ['ask p2', 'resolved p2 true terminal']);
    await say(call('call-3', { command: 'c' }));
    prompts.propose('p3', { command: 'c' });
    await settled();
    await say(result('call-3', 'denied'));
    assert.deepEqual(written().slice(5), ['ask p3', 'resolved p3 false terminal']);
  });

  for (const [option, outcome, correction] of [
    ['allow', 'denied', 'resolved p1 false terminal'],
    ['deny', 'ok', 'resolved p1 true terminal'],
    ['allow', 'ok', undefined],
    ['deny', 'denied', undefined],
    ['allow', 'error', undefined],
    ['deny', 'error', undefined],
  ] as const)
    it(`say at last what the agent’s record says: ${option} here, and then ${outcome}`, async () => {
      await begin();
      prompts.propose('p1', input);
      await settled();
      assert.ok(session.answer(blockId.parse('p1'), option, pending()?.digest ?? '', phone).ok);
      await say(result('call-1', outcome));
      const answered = `resolved p1 ${String(option === 'allow')} device`;
      assert.deepEqual(written(), ['ask p1', answered, ...(correction === undefined ? [] : [correction])]);
    });

  it('wait for the turn and the call that they are about, which the agent’s record shows later', async () => {
    prompts.propose('p1', input);
    await settled();
    await say(prompt('one'));
    clock.pass(500);
    await settled();
    assert.deepEqual(written(), []);
    await say(call('other', { command: 'other' }), call('call-1', input));
    assert.equal(pending()?.tool_call_id, 'call-1');
    prompts.propose('p2', { command: 'of a sub-agent' });
    await settled();
    assert.deepEqual(written(), ['ask p1']);
    clock.pass(2_000);
    await settled();
    assert.deepEqual(written(), ['ask p1', 'ask p2']);
    assert.equal(session.pending[1]?.tool_call_id, undefined);
    assert.equal(session.summary.needs_desk, undefined);
  });

  it('are known to be about a call whose arguments the program names in another order', async () => {
    await say(prompt('one'), call('call-1', { command: 'x', more: { a: 1, b: [2] } }));
    prompts.propose('p1', { more: { b: [2], a: 1 }, command: 'x' });
    await settled();
    assert.deepEqual(written(), ['ask p1']);
    assert.equal(pending()?.tool_call_id, 'call-1');
  });

  it('of the same action, twice, are about two calls', async () => {
    await say(prompt('one'), call('call-1', input), call('call-2', input));
    prompts.propose('p1', input);
    prompts.propose('p2', input);
    await settled();
    assert.deepEqual(
      session.pending.map(each => each.tool_call_id),
      ['call-1', 'call-2'],
    );
  });

  it('need the desk where they belong to no turn, until they are gone or one begins', async () => {
    prompts.propose('p1', input);
    clock.pass(2_500);
    await settled();
    assert.deepEqual(
      [session.summary.needs_desk, session.summary.activity, session.summary.waiting],
      [true, 'awaiting_question', 1],
    );
    await begin();
    assert.deepEqual(
      [session.summary.needs_desk, session.summary.activity],
      [undefined, 'awaiting_approval'],
    );
  });

  it('that nothing here can show need the desk, for as long as they are there', async () => {
    await begin();
    let changes = 0;
    session.onDidChange(() => (changes += 1));
    prompts.need(true);
    await settled();
    assert.deepEqual([session.summary.needs_desk, session.summary.activity], [true, 'awaiting_question']);
    prompts.need(false);
    await settled();
    assert.deepEqual([session.summary.needs_desk, session.summary.activity], [undefined, 'running']);
    assert.equal(changes, 2);
    prompts.need(true);
    terminal.exit();
    await settled();
    assert.deepEqual([session.summary.needs_desk, session.summary.activity], [undefined, 'idle']);
  });

  it('are answered by no rule: who sits there has rules of their own', async () => {
    assert.ok(session.approvals.setMode('full_access', desktop).ok);
    await say(prompt('one'), call('call-1', { command: 'ls' }));
    prompts.propose('p1', { command: 'ls' });
    await settled();
    clock.pass(48 * 3_600_000);
    await settled();
    assert.deepEqual([written(), prompts.told], [['ask p1'], []]);
  });

  it('with questions are question cards; their answers are told, and what the desk answers is taken back', async () => {
    await begin();
    prompts.question('q1', 'Which?');
    prompts.question('q2', 'Which else?');
    clock.pass(2_000);
    await settled();
    assert.equal(session.summary.waiting, 2);
    assert.ok(session.approvals.questions.answer(blockId.parse('q1'), { custom: 'mine' }, phone).ok);
    assert.deepEqual(prompts.told, ['q1 {"custom":"mine"}']);
    prompts.close('q2');
    await settled();
    assert.deepEqual(written(), [
      'question q1',
      'question q2',
      'question_resolved q1 true device',
      'question_resolved q2 false terminal',
    ]);
  });

  it('are the same ones after a restart: asked once, and answered again when the answer may not have arrived [D1]', async () => {
    await begin();
    prompts.propose('p1', input);
    await settled();
    await restart();
    clock.pass(10_000);
    await settled();
    assert.deepEqual(written(), ['ask p1']);
    assert.equal(session.summary.activity, 'awaiting_approval');
    assert.ok(session.answer(blockId.parse('p1'), 'allow', pending()?.digest ?? '', phone).ok);
    assert.deepEqual(prompts.told, ['p1 allow']);
    prompts.propose('p1', input);
    await settled();
    await restart();
    assert.deepEqual(prompts.told, ['p1 allow', 'p1 allow']);
    assert.deepEqual(written(), ['ask p1', 'resolved p1 true device']);
  });

  it('that were answered at the desk while no window was there are closed by the next one', async () => {
    await begin();
    prompts.propose('p1', input);
    await settled();
    session.dispose();
    prompts.close('p1');
    await restart();
    assert.deepEqual(written(), ['ask p1'], 'its keeper may tell of it again');
    clock.pass(3_000);
    await settled();
    assert.deepEqual(written(), ['ask p1', 'resolved p1 false terminal']);
    assert.equal(session.summary.activity, 'running');
  });

  it('are answered by a stop, since they may pass over Ctrl+C; without one the program is stopped by that [C49]', async () => {
    await begin();
    prompts.propose('p1', input);
    await settled();
    const turn = session.summary.turn_id;
    assert.ok(turn);
    assert.ok(session.interrupt(turn).ok);
    assert.deepEqual([prompts.told, terminal.orders], [['p1 interrupted'], []]);
    await say({ type: 'turn_end', reason: 'interrupted' }, prompt('two'));
    assert.deepEqual(written(), ['ask p1', 'resolved p1 false interrupt']);
    const next = session.summary.turn_id;
    assert.ok(next);
    assert.ok(session.interrupt(next).ok);
    assert.deepEqual(terminal.orders, ['interrupt']);
  });

  it('are gone with their program', async () => {
    await begin();
    prompts.propose('p1', input);
    await settled();
    terminal.exit();
    await settled();
    assert.equal(pending(), undefined);
    assert.match(written().at(-1) ?? '', /^resolved p1 false/);
    assert.equal(session.summary.activity, 'idle');
  });
});
