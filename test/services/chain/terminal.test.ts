import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { IPty } from 'node-pty';
import { agentId } from '../../../core/protocol/ids.ts';
import { processStart } from '../../../platform/node/files/processStart.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { startChain, type Chain } from '../../fakes/chain.ts';
import { sitDown } from '../../fakes/terminalDesk.ts';
import { untilChange, untilSignal } from '../../fakes/until.ts';

describe('a session that continues in the terminal, from phone to desk and back [T115] [D2] [D4]', function () {
  this.timeout(60_000);
  let chain: Chain;
  const desks: IPty[] = [];
  beforeEach(async () => {
    chain = await startChain();
  });
  afterEach(async () => {
    for (const pty of desks.splice(0)) pty.kill('SIGKILL');
    await chain.dispose();
  });

  async function start(prompt: string): Promise<PhoneSession> {
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(each => each.state !== undefined),
    );
    const session = chain.machine.startSession(window.instance, agentId.parse('demo'), prompt);
    await ends(session, 1);
    return session;
  }

  const lines = (session: PhoneSession): string[] =>
    session.conversation.value.order.flatMap(id => {
      const entry = session.conversation.value.entries.get(id);
      if (entry?.type === 'user_echo') return [`prompt ${entry.text} ${entry.state}`];
      if (entry?.type === 'text') return [`text ${entry.text.slice(0, 20)}`];
      if (entry?.type === 'session_end') return [`end ${entry.reason}`];
      return entry?.type === 'handoff_state' ? [entry.state] : [];
    });

  function ends(session: PhoneSession, count: number): Promise<true> {
    return untilSignal(`${String(count)} turns have ended`, session.conversation, () =>
      lines(session).filter(line => line.startsWith('end')).length >= count ? true : undefined,
    );
  }

  function deskSession(session: PhoneSession) {
    const found = chain.bridge.sessions.find(session.id);
    assert.ok(found);
    return found;
  }

  async function moveToDesk(session: PhoneSession) {
    assert.ok((await deskSession(session).continueInTerminal()).ok);
    const process = deskSession(session).terminal;
    assert.ok(process);
    const desk = sitDown(process.directory);
    desks.push(desk.pty);
    return { process, desk };
  }

  it('shows the history at the desk, and what is typed there on the phone', async () => {
    const session = await start('hello');
    const { desk } = await moveToDesk(session);
    await desk.until('› hello');
    await desk.until('I am the **demo agent**');
    await untilSignal(
      'the phone knows',
      session.conversation,
      ({ summary }) => summary?.owner === 'terminal',
    );
    desk.pty.write('write a note from the desk\r');
    await desk.until('Allow it?');
    desk.pty.write('y\r');
    await ends(session, 2);
    assert.deepEqual(lines(session).slice(-5), [
      'mirroring',
      'prompt write a note from the desk delivered',
      'text I will add your note',
      'text Done: `demo-notes.md',
      'end completed',
    ]);
    const tool = [...session.conversation.value.entries.values()].find(entry => entry.type === 'tool_call');
    assert.ok(tool?.type === 'tool_call' && tool.status === 'done');
    assert.equal(session.conversation.value.results.get(tool.id)?.outcome, 'ok');
  });

  it('moves there when the phone says so, and says why not while a turn runs [T115]', async () => {
    const session = await start('hello');
    assert.equal(await session.continueInTerminal(), undefined);
    await untilSignal('it is there', session.conversation, ({ summary }) => summary?.owner === 'terminal');
    assert.equal(await session.continueInTerminal(), 'unsupported_operation', 'it is there already');
    const other = await start('hello');
    other.prompt('count slowly');
    await untilSignal('it counts', other.conversation, () =>
      lines(other).some(line => line.startsWith('text Step')) ? true : undefined,
    );
    assert.equal(await other.continueInTerminal(), 'busy');
  });

  it('keeps what the phone sends until the terminal is left, and then answers it, once [T109] [T114]', async () => {
    const session = await start('hello');
    const { desk, process } = await moveToDesk(session);
    await desk.until('› hello');
    session.prompt('count down');
    await untilSignal('the prompt is kept', session.conversation, () =>
      lines(session).includes('prompt count down queued') ? true : undefined,
    );
    desk.pty.write('hi again\r');
    await ends(session, 2);
    assert.ok(lines(session).includes('prompt count down queued'), 'it is not typed into the terminal');
    const { pid } = process;
    desk.pty.write('/exit\r');
    await process.exited;
    await untilSignal('the phone is told', session.conversation, () =>
      lines(session).includes('prompt count down delivered') ? true : undefined,
    );
    assert.ok(lines(session).includes('live'));
    assert.equal(processStart(pid), undefined);
    assert.notEqual(deskSession(session).agentPid, pid);
    assert.equal(lines(session).filter(line => line.startsWith('prompt count down')).length, 1);
  });

  it('lives on through a restart of the extension host, terminal and all [D1]', async () => {
    const session = await start('hello');
    const [before] = chain.machine.windows.value;
    const { desk, process } = await moveToDesk(session);
    const { pid } = process;
    await desk.until('› hello');
    desk.pty.write('count\r');
    await desk.until('Step 2 of 200');
    await chain.stopBridge();
    await desk.until('Step 20 of 200');
    await chain.startBridge();
    const again = deskSession(session);
    assert.equal(again.agentPid, pid, 'the same program');
    assert.equal(again.terminal?.deskPid, desk.pty.pid, 'in the same terminal');
    // Ctrl+C: the turn is stopped by who sits there.
    desk.pty.write('\u0003');
    await untilChange('the turn ends', () => again.summary.activity === 'idle', again.onDidChange);
    const reasons = [...again.history(0)].flatMap(({ block }) =>
      block.type === 'session_end' ? [block.reason] : [],
    );
    assert.deepEqual(reasons, ['completed', 'interrupted']);
    const window = await untilSignal('the new window', chain.machine.windows, windows =>
      windows.find(({ instance, state }) => instance !== before?.instance && state?.sessions.length === 1),
    );
    const seen = chain.machine.session(session.id, window.instance);
    await ends(seen, 2);
    assert.equal(lines(seen).filter(line => line === 'prompt count delivered').length, 1);
  });

  it('leaves no process behind when the phone ends it', async () => {
    const session = await start('hello');
    const { process } = await moveToDesk(session);
    const { pid } = process;
    await session.end();
    await process.exited;
    const { onDidChange } = deskSession(session);
    await untilChange('it ends', () => deskSession(session).summary.activity === 'ended', onDidChange);
    for (let attempt = 0; attempt < 300 && processStart(pid) !== undefined; attempt += 1) await delay(10);
    assert.equal(processStart(pid), undefined);
  });
});
