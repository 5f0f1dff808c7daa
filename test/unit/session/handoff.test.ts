import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approvalDigest } from '../../../core/crypto/approvalDigest.ts';
import { agentId, blockId, sessionId, turnId } from '../../../core/protocol/ids.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import type { AgentEvent } from '../../../src/adapters/agent.ts';
import { Journal } from '../../../src/session/journal.ts';
import { SessionRestorer } from '../../../src/session/restoreSession.ts';
import { Session } from '../../../src/session/session.ts';
import { TerminalAgent } from '../../../src/session/terminalAgent.ts';
import { FakeAgent } from '../../fakes/fakeAgent.ts';
import { FakeRecord, FakeTerminal } from '../../fakes/fakeTerminal.ts';
import { ShiftableClock } from '../../fakes/shiftableClock.ts';
import { writtenLine } from './writtenLine.ts';

const desk = { kind: 'desktop' as const };
const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe('a conversation that continues in its agent’s terminal [T115] [D4]', () => {
  let folder: string;
  let record: FakeRecord;
  let terminal: FakeTerminal;
  let agents: FakeAgent[];
  let starts: (string | undefined)[];
  let canOpen: boolean;
  let opening: Promise<void>;
  let session: Session;
  let clock: ShiftableClock;

  function sessionOf(journal: Journal, restorer: SessionRestorer): Session {
    let drawn = journal.lastSeq;
    clock = new ShiftableClock();
    return new Session(journal, restorer, {
      clock,
      uniqueId: () => String((drawn += 1)).padStart(32, '0'),
      unit: () => 0.5,
      digest: action => approvalDigest(nodeCrypto, action),
      startAgent: () => {
        starts.push('bridge');
        const agent = new FakeAgent();
        agents.push(agent);
        agent.catchUp();
        return Promise.resolve({ ok: true, value: agent });
      },
      endLeft: () => Promise.resolve(),
      canContinueInTerminal: () => true,
      startTerminal: async nativeId => {
        starts.push(`terminal ${nativeId ?? 'new'}`);
        await opening;
        if (!canOpen) return { ok: false, code: 'agent_missing' };
        return {
          ok: true,
          value: new TerminalAgent(terminal, { record, nativeId: nativeId ?? 'drawn', from: record.end }),
        };
      },
    });
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ts-'));
    record = new FakeRecord();
    terminal = new FakeTerminal();
    agents = [];
    starts = [];
    canOpen = true;
    opening = Promise.resolve();
    const header = {
      journal: 1 as const,
      session_id: sessionId.parse('s'),
      agent_id: agentId.parse('demo'),
      agent_name: 'Demo agent',
      cwd: '/work',
      generation: 0,
    };
    const journal = Journal.create(join(folder, 's.jsonl'), header);
    const restorer = new SessionRestorer();
    const info = {
      type: 'agent_info' as const,
      ts: 1,
      id: blockId.parse('agent'),
      agent_id: header.agent_id,
      display_name: 'Demo agent',
      version: '1',
      capabilities: { thinking: true, permissions: true, interrupt: true, diffs: true },
      cwd: '/work',
    };
    journal.append(info);
    restorer.add(info);
    session = sessionOf(journal, restorer);
  });
  afterEach(() => {
    session.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  function written(of = session): string[] {
    return [...of.history(0)].flatMap(({ block }) => writtenLine(block) ?? []);
  }

  const text = (id: string): AgentEvent => ({
    type: 'block',
    block: { type: 'text', id: blockId.parse(id), text: id, done: true },
  });
  const completed: AgentEvent = { type: 'turn_end', reason: 'completed' };

  /** One managed turn, so that there is a conversation to go on with. */
  async function firstTurn(): Promise<FakeAgent> {
    session.prompt('first', 'p1', desk);
    await settled();
    const [agent] = agents;
    assert.ok(agent);
    agent.events.push({ type: 'native_id', id: 'native-1' });
    agent.events.push({ type: 'prompt_accepted' });
    agent.events.push(completed);
    await settled();
    return agent;
  }

  it('forgets a conversation that its agent has no more: what comes next is not sent into it again', async () => {
    const agent = await firstTurn();
    assert.equal(session.nativeId, 'native-1');
    const id = blockId.parse('gone');
    agent.events.push({
      type: 'block',
      block: { type: 'error', id, code: 'session_not_found', message: 'x' },
    });
    await settled();
    assert.equal(session.nativeId, undefined);
  });

  it('lets go at a turn’s end only, and starts nothing in the terminal before its agent has ended [D3]', async () => {
    session.prompt('first', 'p1', desk);
    await settled();
    assert.deepEqual(await session.continueInTerminal(), { ok: false, code: 'busy' });
    const [agent] = agents;
    assert.ok(agent);
    agent.events.push({ type: 'native_id', id: 'native-1' });
    agent.events.push({ type: 'prompt_accepted' });
    agent.events.push(completed);
    await settled();
    let exit: () => void = () => undefined;
    agent.stop = () => {
      exit = () => {
        agent.events.push({ type: 'exit', expected: true, detail: '' });
        agent.events.close();
      };
    };
    const released = session.continueInTerminal();
    await settled();
    assert.deepEqual(starts, ['bridge'], 'two writers of one conversation would fork it');
    exit();
    assert.ok((await released).ok);
    assert.deepEqual(starts, ['bridge', 'terminal native-1']);
    assert.equal(session.summary.owner, 'terminal');
    assert.equal(session.agentPid, terminal.pid);
    assert.deepEqual(written().slice(-2), ['releasing bridge', 'mirroring terminal']);
  });

  it('tells what is typed and done there, and takes the conversation back when its program ends', async () => {
    await firstTurn();
    assert.ok((await session.continueInTerminal()).ok);
    record.write({ type: 'desk_prompt', id: 'u1', text: 'from the desk' });
    record.write(text('answer'));
    await settled();
    assert.equal(session.summary.activity, 'running');
    record.write(completed);
    await settled();
    assert.equal(session.summary.activity, 'idle');
    assert.deepEqual(written().slice(-3), ['prompt from the desk delivered', 'text answer', 'end completed']);
    terminal.exit();
    await settled();
    assert.equal(session.summary.owner, undefined);
    assert.equal(written().at(-1), 'live bridge');
    assert.ok(session.canContinueInTerminal);
  });

  it('keeps prompts until the terminal’s program has ended, then delivers them in order, once [T109] [T114]', async () => {
    await firstTurn();
    await session.continueInTerminal();
    assert.ok(session.prompt('second', 'p2', desk).ok);
    assert.ok(session.prompt('third', 'p3', desk).ok);
    assert.ok(session.prompt('second', 'p2', desk).ok);
    await settled();
    assert.equal(agents.length, 1, 'nobody else may write');
    record.write({ type: 'desk_prompt', id: 'u1', text: 'cut off' });
    terminal.exit();
    await settled();
    await settled();
    assert.ok(written().includes('end interrupted'), 'the turn that was cut off has ended');
    const again = agents[1];
    assert.ok(again);
    assert.deepEqual(again.orders, ['send second as turn']);
    again.events.push({ type: 'prompt_accepted' });
    again.events.push(completed);
    await settled();
    assert.deepEqual(again.orders, ['send second as turn', 'send third as turn']);
  });

  it('ends with its terminal’s program when it is ended from here, once', async () => {
    await firstTurn();
    await session.continueInTerminal();
    session.prompt('waits', 'p2', desk);
    assert.ok(session.end().ok);
    await settled();
    assert.deepEqual(terminal.orders, ['end', 'dispose']);
    assert.deepEqual(written().slice(-3), ['prompt waits queued', 'prompt waits not_delivered', 'ended']);
  });

  it('opens no terminal for a conversation that is ended on the way there', async () => {
    await firstTurn();
    let open: () => void = () => undefined;
    opening = new Promise(resolve => (open = resolve));
    const released = session.continueInTerminal();
    await settled();
    assert.ok(session.end().ok);
    open();
    assert.deepEqual(await released, { ok: false, code: 'stale_session' });
    assert.deepEqual(terminal.orders, ['end']);
    assert.equal(written().filter(line => line === 'ended').length, 1);
  });

  it('says so when no terminal can be opened, and goes on here', async () => {
    await firstTurn();
    canOpen = false;
    const released = session.continueInTerminal();
    session.prompt('second', 'p2', desk);
    assert.deepEqual(await released, { ok: false, code: 'not_found' });
    await settled();
    assert.ok(written().includes('error agent_missing'));
    assert.ok(written().includes('live bridge'));
    assert.deepEqual(agents[1]?.orders, ['send second as turn']);
  });

  it('goes on here when nobody expected that the terminal cannot be opened: a full disk, say', async () => {
    await firstTurn();
    opening = Promise.reject(new Error('full'));
    const released = session.continueInTerminal();
    session.prompt('second', 'p2', desk);
    assert.deepEqual(await released, { ok: false, code: 'internal' });
    await settled();
    assert.deepEqual(agents[1]?.orders, ['send second as turn']);
    opening = Promise.resolve();
    agents[1].events.push({ type: 'prompt_accepted' });
    agents[1].events.push(completed);
    await settled();
    assert.ok((await session.continueInTerminal()).ok, 'and can be moved later');
  });

  it('opens nothing beside an agent that cannot be followed any more until that has ended [D3]', async () => {
    const agent = await firstTurn();
    agent.stop = () => void agent.orders.push('stop');
    const released = session.continueInTerminal();
    await settled();
    agent.events.push({
      type: 'block',
      block: {
        type: 'text',
        id: blockId.parse('t'),
        get text(): string {
          throw new Error('cannot be written');
        },
        done: true,
      },
    });
    await settled();
    await settled();
    assert.deepEqual(starts, ['bridge'], 'it has not ended yet');
    agent.events.push({ type: 'exit', expected: true, detail: '' });
    agent.events.close();
    assert.ok((await released).ok);
    assert.deepEqual(starts, ['bridge', 'terminal native-1']);
  });

  it('begins in the terminal, and forgets the id that was drawn for it when nothing was said', async () => {
    assert.ok((await session.continueInTerminal()).ok);
    assert.deepEqual(starts, ['terminal new']);
    assert.equal(session.nativeId, 'drawn');
    terminal.exit();
    await settled();
    assert.equal(session.nativeId, undefined, 'the agent could not go on with an id that it does not know');
  });

  it('is stopped there by Ctrl+C, for the turn that is named, after that is told; and is not ended when it goes on [C49] [C50]', async () => {
    await firstTurn();
    assert.ok((await session.continueInTerminal()).ok);
    session.prompt('for later', 'p2', desk);
    record.write({ type: 'desk_prompt', id: 'u1', text: 'from the desk' });
    await settled();
    const turn = session.summary.turn_id;
    assert.ok(turn);
    assert.deepEqual(session.interrupt(turnId.parse('turn_other')), { ok: false, code: 'stale_turn' });
    assert.deepEqual(terminal.orders, []);
    let told: readonly string[] = [];
    terminal.interrupt = () => {
      told = written();
      terminal.orders.push('interrupt');
    };
    assert.deepEqual(session.interrupt(turn), { ok: true, value: undefined });
    assert.deepEqual(terminal.orders, ['interrupt']);
    assert.ok(told.includes('stopping'), told.join());
    assert.ok(written().includes('prompt for later held'), 'what waits does not set it going again');
    clock.shift(60_000);
    await settled();
    assert.deepEqual(terminal.orders, ['interrupt'], 'who sits there sees that it goes on');
    assert.deepEqual(session.interrupt(turn), { ok: true, value: undefined });
    assert.deepEqual(terminal.orders, ['interrupt'], 'a second one would leave the program');
    const restorer = new SessionRestorer();
    session.dispose();
    terminal.orders = [];
    const opened = Journal.open(join(folder, 's.jsonl'), entry => restorer.add(entry.block, entry.from));
    assert.ok(opened);
    session = sessionOf(opened.journal, restorer);
    session.resume(
      new TerminalAgent(terminal, { record, nativeId: 'native-1', from: record.end }),
      restorer.lastLine,
    );
    await settled();
    assert.deepEqual(terminal.orders, [], 'also after a restart');
    record.write({ type: 'turn_end', reason: 'interrupted' });
    await settled();
    assert.equal(session.summary.activity, 'idle');
    assert.equal(session.summary.owner, 'terminal');
  });

  it('cannot be stopped on its way there', async () => {
    const agent = await firstTurn();
    agent.stop = () => undefined;
    const going = session.continueInTerminal();
    assert.deepEqual(session.interrupt(turnId.parse('turn_x')), { ok: false, code: 'not_running' });
    agent.events.push({ type: 'exit', expected: true, detail: '' });
    assert.ok((await going).ok);
  });

  it('is read on after a restart, with nothing lost and nothing twice [D1] [T101]', async () => {
    await firstTurn();
    record.write(text('earlier'));
    await session.continueInTerminal();
    record.write({ type: 'desk_prompt', id: 'u1', text: 'one' });
    record.write(text('a'), completed);
    record.write({ type: 'desk_prompt', id: 'u2', text: 'two' });
    await settled();
    session.dispose();
    record.write(text('b'));
    const restorer = new SessionRestorer();
    const opened = Journal.open(join(folder, 's.jsonl'), entry => restorer.add(entry.block, entry.from));
    assert.ok(opened);
    assert.equal(restorer.mirroredFrom?.end, 10);
    session = sessionOf(opened.journal, restorer);
    session.resume(
      new TerminalAgent(terminal, { record, nativeId: 'native-1', from: restorer.mirroredFrom.end }),
      restorer.lastLine,
    );
    record.write(completed);
    await settled();
    await settled();
    assert.deepEqual(written().slice(written().indexOf('mirroring terminal')), [
      'mirroring terminal',
      ...['prompt one delivered', 'text a', 'end completed'],
      ...['prompt two delivered', 'text b', 'end completed'],
    ]);
    assert.equal(session.summary.owner, 'terminal');
  });

  it('is back here when its terminal ended while no window was there', async () => {
    await firstTurn();
    await session.continueInTerminal();
    session.prompt('waits', 'p2', desk);
    await settled();
    session.dispose();
    record.write({ type: 'desk_prompt', id: 'u1', text: 'meanwhile' });
    record.write(text('done'), completed);
    const restorer = new SessionRestorer();
    const opened = Journal.open(join(folder, 's.jsonl'), entry => restorer.add(entry.block, entry.from));
    assert.ok(opened);
    session = sessionOf(opened.journal, restorer);
    session.resume(
      new TerminalAgent(undefined, { record, nativeId: 'native-1', from: 0 }),
      restorer.lastLine,
    );
    await settled();
    await settled();
    const lines = written();
    assert.deepEqual(lines.slice(lines.indexOf('prompt meanwhile delivered'), -1), [
      'prompt meanwhile delivered',
      'text done',
      'end completed',
      'live bridge',
    ]);
    assert.deepEqual(agents.at(-1)?.orders, ['send waits as turn']);
  });
});
