import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approvalDigest } from '../../../core/crypto/approvalDigest.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import { agentId, blockId, sessionId, turnId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import type { AgentEvent, ProposedAction } from '../../../src/adapters/agent.ts';
import { Journal } from '../../../src/session/journal.ts';
import { maxLineBytes } from '../../../src/session/journalLines.ts';
import { Session } from '../../../src/session/session.ts';
import { SessionRestorer } from '../../../src/session/restoreSession.ts';
import { FakeAgent } from '../../fakes/fakeAgent.ts';
import { ShiftableClock } from '../../fakes/shiftableClock.ts';
import { untilChange } from '../../fakes/until.ts';
import { writtenLine } from './writtenLine.ts';

describe('a session', () => {
  let folder: string;
  let agents: FakeAgent[];
  let session: Session;
  let startable: boolean;
  const desk = { kind: 'desktop' as const };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ts-'));
    agents = [];
    startable = true;
    let drawn = 0;
    const journal = Journal.create(join(folder, 's.jsonl'), {
      journal: 1,
      session_id: sessionId.parse('s'),
      agent_id: agentId.parse('demo'),
      agent_name: 'Demo agent',
      cwd: '/work',
      generation: 0,
    });
    session = new Session(journal, new SessionRestorer(), {
      clock: new ShiftableClock(),
      uniqueId: () => String((drawn += 1)).padStart(32, '0'),
      unit: () => 0.5,
      digest: action => approvalDigest(nodeCrypto, action),
      startAgent: () => {
        if (!startable) return Promise.resolve({ ok: false, code: 'agent_failed' });
        const agent = new FakeAgent();
        agents.push(agent);
        return Promise.resolve({ ok: true, value: agent });
      },
      endLeft: () => Promise.resolve(),
      canContinueInTerminal: () => false,
      startTerminal: () => Promise.resolve({ ok: false, code: 'agent_failed' }),
    });
  });
  afterEach(() => {
    session.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  async function agent(): Promise<FakeAgent> {
    await untilOrder('send');
    const last = agents.at(-1);
    assert.ok(last);
    return last;
  }

  async function untilOrder(start: string): Promise<void> {
    while (!agents.some(each => each.orders.some(order => order.startsWith(start)))) await Promise.resolve();
  }

  /** Says `events` and waits until the session has written what the last of them amounts to. */
  async function say(speaker: FakeAgent, ...events: AgentEvent[]): Promise<void> {
    const before = session.lastSeq;
    for (const event of events) speaker.events.push(event);
    await untilChange('something written', () => session.lastSeq > before, session.onDidChange);
    await new Promise(resolve => setImmediate(resolve));
  }

  function written(): string[] {
    return [...session.history(0)].map(({ block }) => writtenLine(block) ?? block.type);
  }

  const action: ProposedAction = {
    id: blockId.parse('ask1'),
    toolCallId: blockId.parse('tool1'),
    tool: 'Bash',
    title: 'rm -rf build',
    input: { command: 'rm -rf build' },
    cwd: '/work',
    risk: 'high',
    options: [
      { id: 'allow', label: 'Allow', kind: 'allow_once' },
      { id: 'deny', label: 'Deny', kind: 'deny' },
    ],
  };
  const call: AgentEvent = {
    type: 'block',
    block: {
      type: 'tool_call',
      id: blockId.parse('tool1'),
      name: 'Bash',
      title: 'x',
      kind: 'execute',
      input: {},
      status: 'running',
    },
  };

  it('takes a prompt once: the same id again is the same prompt, and other words under it are refused', async () => {
    assert.deepEqual(session.prompt('go', 'c1', desk), { ok: true, value: undefined });
    assert.deepEqual(session.prompt('go', 'c1', desk), { ok: true, value: undefined });
    assert.deepEqual(session.prompt('other', 'c1', desk), { ok: false, code: 'request_conflict' });
    assert.deepEqual((await agent()).orders, ['send go as turn']);
  });

  it('counts a prompt as delivered only when the agent shows it [F21]', async () => {
    session.prompt('go', 'c1', desk);
    const speaker = await agent();
    assert.deepEqual(written(), ['prompt go queued', 'prompt go queued'], 'accepted, then on its way');
    await say(speaker, { type: 'prompt_accepted' });
    assert.equal(written().at(-1), 'prompt go delivered');
  });

  it('says of a prompt that the agent died with: not delivered', async () => {
    session.prompt('go', 'c1', desk);
    await say(await agent(), { type: 'exit', expected: false, detail: 'boom' });
    assert.ok(written().includes('prompt go not_delivered'));
  });

  it('keeps all that waits when no agent can be started, and goes on with it once somebody says so', async () => {
    startable = false;
    session.prompt('one', 'c1', desk);
    session.prompt('two', 'c2', desk);
    await untilChange('the end', () => written().includes('prompt two held'), session.onDidChange);
    assert.deepEqual(written(), [
      'prompt one queued',
      'prompt two queued',
      'error agent_failed',
      'prompt one held',
      'prompt two held',
    ]);
    startable = true;
    assert.ok(session.sendQueued('c1').ok);
    assert.deepEqual((await agent()).orders, ['send one as turn']);
  });

  it('bounds the queue', () => {
    for (let n = 0; n < 33; n += 1) session.prompt(`p${String(n)}`, `c${String(n)}`, desk);
    assert.deepEqual(session.prompt('one more', 'last', desk), { ok: false, code: 'busy' });
  });

  it('runs exactly the answered action: other digest, other option, other id and a second answer are refused', async () => {
    session.prompt('go', 'c1', desk);
    const speaker = await agent();
    await say(speaker, { type: 'prompt_accepted' }, call, { type: 'proposal', action });
    const [request] = session.pending;
    assert.ok(request);
    const wrong = 'a'.repeat(64);
    assert.deepEqual(session.answer(request.id, 'allow', wrong, desk), {
      ok: false,
      code: 'digest_mismatch',
    });
    assert.deepEqual(session.answer(request.id, 'always', request.digest, desk), {
      ok: false,
      code: 'invalid_request',
    });
    assert.deepEqual(session.answer(blockId.parse('ask2'), 'allow', request.digest, desk), {
      ok: false,
      code: 'stale_approval',
    });
    assert.equal(session.answer(request.id, 'allow', request.digest, desk).ok, true);
    assert.deepEqual(session.answer(request.id, 'deny', request.digest, desk), {
      ok: false,
      code: 'stale_approval',
    });
    assert.deepEqual(speaker.orders.slice(1), ['allow ask1']);
  });

  it('denies by itself what has no canonical form, since nobody could say what was approved', async () => {
    session.prompt('go', 'c1', desk);
    const speaker = await agent();
    await say(speaker, { type: 'prompt_accepted' });
    speaker.events.push({ type: 'proposal', action: { ...action, input: { command: 'echo \ud800' } } });
    await untilOrder('deny');
    assert.deepEqual(session.pending, []);
  });

  it('denies by itself what is proposed outside of a turn', async () => {
    session.prompt('go', 'c1', desk);
    const speaker = await agent();
    await say(speaker, { type: 'prompt_accepted' }, { type: 'turn_end', reason: 'completed' });
    speaker.events.push({ type: 'proposal', action });
    await untilOrder('deny');
    assert.deepEqual(session.pending, []);
  });

  it('ends a turn once, with every text closed, every call answered and every request withdrawn [T28] [T68] [M44]', async () => {
    session.prompt('go', 'c1', desk);
    const speaker = await agent();
    const growing: AgentEvent = {
      type: 'block',
      block: { type: 'text', id: blockId.parse('t1'), text: 'half a sen', done: false },
    };
    await say(speaker, { type: 'prompt_accepted' }, growing, call, { type: 'proposal', action });
    const [request] = session.pending;
    assert.ok(request);
    session.interrupt(request.turn_id);
    await say(speaker, { type: 'turn_end', reason: 'interrupted' });
    assert.deepEqual(written().slice(3), [
      'call tool1 running',
      'ask ask1',
      'stopping',
      'resolved ask1 false interrupt',
      'text half a sen',
      'call tool1 error',
      'result tool1 interrupted',
      'end interrupted',
    ]);
    assert.equal(session.summary.activity, 'idle');
  });

  it('calls an outcome unknown when the agent died in the middle [M71]', async () => {
    session.prompt('go', 'c1', desk);
    const speaker = await agent();
    await say(speaker, { type: 'prompt_accepted' }, call, {
      type: 'exit',
      expected: false,
      detail: 'signal SIGKILL',
    });
    assert.deepEqual(written().slice(3), [
      'call tool1 running',
      'error agent_crashed',
      'call tool1 error',
      'result tool1 unknown',
      'end error',
    ]);
  });

  it('interrupts only the turn that was named', async () => {
    assert.deepEqual(session.interrupt(turnId.parse('turn_x')), { ok: false, code: 'not_running' });
    session.prompt('go', 'c1', desk);
    await say(await agent(), { type: 'prompt_accepted' });
    assert.deepEqual(session.interrupt(turnId.parse('turn_x')), { ok: false, code: 'stale_turn' });
  });

  it('takes nothing more once it has ended', async () => {
    session.prompt('go', 'c1', desk);
    const speaker = await agent();
    await say(speaker, { type: 'prompt_accepted' });
    session.end();
    await untilChange('the end', () => written().includes('end stopped'), session.onDidChange);
    assert.deepEqual(session.prompt('more', 'c2', desk), { ok: false, code: 'stale_session' });
    assert.equal(session.summary.activity, 'ended');
  });

  it('tells an id that comes twice no, even for the same action, and never takes an old answer for it', async () => {
    session.prompt('go', 'c1', desk);
    const speaker = await agent();
    await say(speaker, { type: 'prompt_accepted' }, { type: 'proposal', action });
    const [request] = session.pending;
    assert.ok(request);
    session.answer(request.id, 'allow', request.digest, desk);
    const other = { ...action, input: { command: 'rm -rf ~' } };
    await say(speaker, { type: 'proposal', action: other }, { type: 'proposal', action });
    assert.deepEqual(speaker.orders.slice(1), ['allow ask1', 'deny ask1', 'deny ask1']);
    assert.equal(written().filter(line => line === 'error agent_failed').length, 2);
  });

  it('ends the turn with an error when the agent says what cannot be dealt with', async () => {
    session.prompt('go', 'c1', desk);
    const speaker = await agent();
    await say(speaker, { type: 'prompt_accepted' });
    await say(speaker, { type: 'desk_prompt', id: 'no id at all', text: 'x' });
    assert.ok(speaker.orders.includes('stop'));
    assert.deepEqual(written().slice(-2), ['error agent_crashed', 'end error']);
    session.prompt('again', 'c2', desk);
    await untilChange('a new agent', () => agents.length === 2, session.onDidChange);
  });

  it('does not take what it reads again for news: no turn ends twice, and no prompt starts before it has read', async () => {
    const restorer = new SessionRestorer();
    const path = join(folder, 'again.jsonl');
    const header = { ...session.header, session_id: sessionId.parse('again') };
    const journal = Journal.create(path, header);
    const at = (block: Parameters<typeof journal.append>[0], end?: number): void => {
      const from = end === undefined ? undefined : { source: 'fake', end };
      journal.append(block, from);
      restorer.add(block, from);
    };
    const one = turnId.parse('turn_one');
    const echo = {
      type: 'user_echo' as const,
      ts: 1,
      text: 'ONE',
      client_msg_id: 'c1',
      id: blockId.parse('prompt_c1'),
    };
    at({ ...echo, state: 'queued', turn_id: one });
    at({ ...echo, state: 'delivered', turn_id: one }, 10);
    at({ type: 'text', ts: 1, turn_id: one, id: blockId.parse('t1'), text: 'said', done: true }, 20);
    at({ type: 'session_end', ts: 1, turn_id: one, id: blockId.parse('e1'), reason: 'completed' }, 30);
    at({ ...echo, text: 'TWO', client_msg_id: 'c2', id: blockId.parse('prompt_c2'), state: 'queued' });
    const running = new FakeAgent();
    const restored = new Session(journal, restorer, {
      clock: new ShiftableClock(),
      uniqueId: () => '2'.padStart(32, '0'),
      unit: () => 0.5,
      digest: each => approvalDigest(nodeCrypto, each),
      startAgent: () => Promise.resolve({ ok: false, code: 'agent_failed' }),
      endLeft: () => Promise.resolve(),
      canContinueInTerminal: () => false,
      startTerminal: () => Promise.resolve({ ok: false, code: 'agent_failed' }),
    });
    restored.resume(running, restorer.lastLine);
    const before = restored.lastSeq;
    const again: AgentEvent[] = [
      { type: 'line', end: 10 },
      { type: 'prompt_accepted' },
      { type: 'line', end: 20 },
      { type: 'block', block: { type: 'text', id: blockId.parse('t1'), text: 'said', done: true } },
      { type: 'line', end: 30 },
      { type: 'turn_end', reason: 'completed' },
    ];
    for (const event of again) running.events.push(event);
    await new Promise(resolve => setImmediate(resolve));
    assert.deepEqual([restored.lastSeq, running.orders], [before, []]);
    running.catchUp();
    while (running.orders.length === 0) await Promise.resolve();
    assert.deepEqual(running.orders, ['send TWO as turn']);
    for (const event of [{ type: 'line', end: 40 }, { type: 'prompt_accepted' }] as const)
      running.events.push(event);
    await untilChange('delivered', () => restored.lastSeq > before + 1, restored.onDidChange);
    assert.equal(restored.summary.activity, 'running');
    restored.dispose();
  });

  it('writes nothing that breaks a bound of the protocol: it says so, and the agent goes on [M11]', async () => {
    session.prompt('go', 'c1', desk);
    const speaker = await agent();
    speaker.events.push({ type: 'prompt_accepted' });
    const block = {
      type: 'tool_call' as const,
      id: blockId.parse('t1'),
      name: 'Bash',
      title: 'x'.repeat(limits.titleChars + 1),
      kind: 'execute' as const,
      input: {},
      status: 'running' as const,
    };
    await say(speaker, { type: 'block', block });
    assert.equal(written().at(-1), 'error agent_failed');
    // As a schema it is right, and no reader would take so long a line.
    await say(speaker, {
      type: 'block',
      block: { ...block, title: 'x', input: { content: 'x'.repeat(maxLineBytes) } },
    });
    assert.equal(written().filter(line => line === 'error agent_failed').length, 2);
    await say(speaker, { type: 'block', block: { ...block, title: 'fits' } });
    assert.equal(written().at(-1), 'call t1 running');
    assert.ok(!speaker.orders.includes('stop'));
    const entries = [...session.history(0)];
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      entries.map((_, index) => index + 1),
    );
  });

  it('lets nothing take the place of a request that waits', async () => {
    session.prompt('go', 'c1', desk);
    const speaker = await agent();
    await say(speaker, { type: 'prompt_accepted' }, { type: 'proposal', action });
    const covering = { type: 'text' as const, id: action.id, text: 'nothing to see', done: true };
    speaker.events.push({ type: 'block', block: covering });
    await say(speaker, call);
    assert.deepEqual(written().slice(-2), ['ask ask1', 'call tool1 running']);
  });
});
