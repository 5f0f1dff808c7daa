import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentId } from '../../../core/protocol/ids.ts';
import { lineText } from '../../../phone/state/terminalScreen.ts';
import { TerminalSteer } from '../../../phone/state/terminalSteer.ts';
import { TerminalWatch } from '../../../phone/state/terminalWatch.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { systemClock } from '../../../platform/node/systemClock.ts';
import { startChain, type Chain } from '../../fakes/chain.ts';
import { createProgramAdapter, programAgent } from '../../fakes/programAdapter.ts';
import { sitDown, type TerminalDesk } from '../../fakes/terminalDesk.ts';
import { untilSignal } from '../../fakes/until.ts';

/** Writes 700 lines, and 500 more when it is told to. */
const lines = `
  const write = (from, to) => { for (let at = from; at < to; at += 1) console.log('line ' + at); };
  write(0, 700);
  process.stdin.setRawMode(true);
  process.stdin.once('data', () => write(700, 1200));`;

describe('the terminal of a session, on a phone [D2] [T101]', function () {
  this.timeout(60_000);
  let chain: Chain;
  const desks: TerminalDesk[] = [];
  const watches: TerminalWatch[] = [];
  beforeEach(async () => {
    chain = await startChain({ adapters: [createProgramAdapter(lines)] });
  });
  afterEach(async () => {
    for (const { pty } of desks.splice(0)) pty.kill('SIGKILL');
    for (const watch of watches.splice(0)) watch.dispose();
    await chain.dispose();
  });

  /** A session in its terminal, with the desk at it. */
  async function start(): Promise<{ session: PhoneSession; desk: TerminalDesk }> {
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(each => each.state !== undefined),
    );
    const session = chain.machine.startSession(window.instance, agentId.parse('demo'), 'hello');
    await untilSignal('its turn ends', session.conversation, ({ entries }) =>
      [...entries.values()].some(({ type }) => type === 'session_end'),
    );
    const live = chain.bridge.sessions.find(session.id);
    assert.ok(live && (await live.continueInTerminal()).ok && live.terminal);
    const desk = sit(live.terminal.directory);
    await desk.until('› hello');
    return { session, desk };
  }

  function sit(directory: string): TerminalDesk {
    const desk = sitDown(directory);
    desks.push(desk);
    return desk;
  }

  function look(session: PhoneSession): TerminalWatch {
    const watch = new TerminalWatch({ ...session.screenPorts, clock: systemClock });
    watches.push(watch);
    return watch;
  }

  const rows = (watch: TerminalWatch): readonly string[] => (watch.screen.value?.rows ?? []).map(lineText);
  const shows = (watch: TerminalWatch, text: string) =>
    untilSignal(`the phone shows ${text}`, watch.screen, () => rows(watch).some(row => row.includes(text)));

  it('is as the desk has it, in the desk’s size, and keeps up while it changes', async () => {
    const { session, desk } = await start();
    const watch = look(session);
    await shows(watch, '› hello');
    await untilSignal('the desk’s size', watch.screen, screen => screen?.columns === 100);
    assert.equal(watch.screen.value?.rows.length, 30);
    const title = watch.screen.value.rows.find(row => lineText(row) === 'Demo agent');
    assert.deepEqual(title, [{ text: 'Demo agent', bold: true }]);
    desk.pty.write('count\r');
    await shows(watch, 'Step 2 of 200');
    await shows(watch, 'Step 40 of 200');
    assert.deepEqual([watch.screen.value.columns, watch.screen.value.rows.length], [100, 30]);
  });

  it('has the lines above the screen, page by page, to the first', async () => {
    const live = chain.bridge.createSession(programAgent);
    assert.ok(live.ok && (await live.value.continueInTerminal()).ok && live.value.terminal);
    const { id, terminal } = live.value;
    const desk = sit(terminal.directory);
    await desk.until('line 699');
    const window = await untilSignal('it is listed', chain.machine.windows, windows =>
      windows.find(({ state }) => state?.sessions.some(({ session_id }) => session_id === id) === true),
    );
    const watch = look(chain.machine.session(id, window.instance));
    await untilSignal('the desk’s size', watch.screen, screen => screen?.columns === 100);
    await shows(watch, 'line 699');
    const all = (): readonly string[] => watch.older.value.lines.map(lineText);
    await untilSignal('the newest page', watch.older, ({ lines }) => lines.length === 200);
    for (const count of [400, 600, 671]) {
      await watch.loadOlder();
      assert.equal(all().length, count);
    }
    const whole = [...all(), ...rows(watch)].filter(row => row !== '');
    assert.deepEqual(
      whole,
      Array.from({ length: 700 }, (_, index) => `line ${String(index)}`),
    );
    // More comes while somebody reads what was before: it is joined with that.
    watch.read(true);
    desk.pty.write('more');
    await shows(watch, 'line 1199');
    await untilSignal('all that is kept', watch.older, ({ lines }) => lines.length === 1_000);
    const joined = [...all(), ...rows(watch)].filter(row => row !== '');
    assert.deepEqual(
      joined,
      Array.from({ length: joined.length }, (_, index) => `line ${String(1_200 - joined.length + index)}`),
    );
  });

  it('goes on where it was when the connection comes back, and in the next window after a restart', async () => {
    const { session, desk } = await start();
    const watch = look(session);
    await shows(watch, '› hello');
    chain.cutPhone();
    desk.pty.write('one more\r');
    await shows(watch, '› one more');
    const [before] = chain.machine.windows.value;
    await chain.restartBridge();
    const window = await untilSignal('the new window', chain.machine.windows, windows =>
      windows.find(({ instance, state }) => instance !== before?.instance && state?.sessions.length === 1),
    );
    const again = look(chain.machine.session(session.id, window.instance));
    await shows(again, '› one more');
  });

  it('is over when it is left, and there again when it is opened again', async () => {
    const { session, desk } = await start();
    const watch = look(session);
    await shows(watch, '› hello');
    desk.pty.write('/exit\r');
    await untilSignal('the phone is told', watch.failure, code => code === 'not_running');
    const live = chain.bridge.sessions.find(session.id);
    await untilSignal('it is back', session.conversation, ({ summary }) => summary?.owner !== 'terminal');
    assert.ok(live && (await live.continueInTerminal()).ok);
    watch.again();
    await untilSignal('it is shown', watch.failure, code => code === undefined);
    await untilSignal('anew', watch.screen, screen => screen?.columns === 120);
  });

  it('takes what an owner types: the agent’s record has it as if it were typed at the desk', async () => {
    const { session, desk } = await start();
    const watch = look(session);
    await shows(watch, '› hello');
    const steer = new TerminalSteer(session.screenPorts.request, () => watch.screen.value?.id);
    assert.equal(await steer.type('write a note from the phone, 日本語 too'), true);
    await shows(watch, 'Allow it?');
    await desk.until('Allow it?');
    assert.equal(await steer.press('y'), true);
    assert.equal(await steer.press('enter'), true);
    await untilSignal('the record has it', session.conversation, ({ entries }) =>
      [...entries.values()].some(
        entry => entry.type === 'user_echo' && entry.text === 'write a note from the phone, 日本語 too',
      ),
    );
    await shows(watch, 'has one more line');
    assert.match(readFileSync(join(chain.workspace, 'demo-notes.md'), 'utf8'), /from the phone, 日本語 too/);
    assert.deepEqual([watch.screen.value?.columns, watch.screen.value?.rows.length], [100, 30]);
  });

  it('adds nothing to what somebody has begun to type at the desk, unless that is wanted', async () => {
    const { session, desk } = await start();
    const watch = look(session);
    await shows(watch, '› hello');
    const steer = new TerminalSteer(session.screenPorts.request, () => watch.screen.value?.id);
    desk.pty.write('from the desk');
    await shows(watch, '› from the desk');
    assert.equal(await steer.type(' and the phone'), false);
    assert.deepEqual(steer.state.value, { phase: 'desk_typing' });
    assert.equal(await steer.type(' and the phone', true), true);
    await untilSignal('one prompt of both', session.conversation, ({ entries }) =>
      [...entries.values()].some(
        entry => entry.type === 'user_echo' && entry.text === 'from the desk and the phone',
      ),
    );
  });

  it('is not shown to a guest, and not typed into', async () => {
    const { session } = await start();
    const file = join(chain.folder, 'state', 'devices.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"role":"owner"', '"role":"viewer"'));
    chain.cutPhone();
    await untilSignal('the connection is gone', session.channel, ({ phase }) => phase !== 'open');
    await untilSignal('it is back', session.channel, ({ phase }) => phase === 'open');
    const watch = look(session);
    await untilSignal('it is refused', watch.failure, code => code === 'not_owner');
    const steer = new TerminalSteer(session.screenPorts.request, () => 'a'.repeat(16));
    assert.equal(await steer.type('rm -rf /'), false);
    assert.deepEqual(steer.state.value, { phase: 'failed', code: 'not_owner' });
    assert.equal(watch.screen.value, undefined);
  });
});
