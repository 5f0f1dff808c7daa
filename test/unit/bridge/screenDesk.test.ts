import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { SecureChannel } from '../../../core/crypto/secureChannel.ts';
import { control } from '../../../core/protocol/control/control.ts';
import { receivedResponse, type ReceivedResponse } from '../../../core/protocol/response.ts';
import type { PairedDevice } from '../../../src/bridge/pairedDevice.ts';
import { ScreenDesk } from '../../../src/bridge/screenDesk.ts';
import type { TerminalProcess } from '../../../src/terminal/terminalProcess.ts';
import { Desk } from '../../fakes/desk.ts';
import { FakeScreen } from '../../fakes/fakeScreen.ts';
import { ShownTerminal } from '../../fakes/shownTerminal.ts';

describe('what phones see of a terminal', () => {
  let desk: Desk;
  let screen: FakeScreen;
  let terminal: TerminalProcess | undefined;
  let answers: ReceivedResponse[];
  afterEach(() => desk.dispose());
  beforeEach(() => begin('owner'));

  async function begin(role: PairedDevice['role']): Promise<void> {
    desk = await Desk.create({ role });
    screen = new FakeScreen();
    answers = [];
    terminal = new ShownTerminal(screen);
    const screens = new ScreenDesk(desk.clock);
    desk.receive = (channel, text) => {
      const request = control.parse(JSON.parse(text));
      assert.ok(request.type === 'screen_look' || request.type === 'screen_page');
      void screens.tell(channel, channel.sessionId === 'nowhere' ? undefined : { terminal }, request);
    };
  }

  async function hear(channel: SecureChannel): Promise<void> {
    for (let round = 0; round < 20; round += 1) {
      for (const message of await desk.read(channel)) {
        const parsed = receivedResponse.safeParse(message);
        assert.ok(parsed.success);
        answers.push(parsed.data);
      }
      await turn();
    }
  }

  const of = (id: string): string | undefined => {
    const result = answers.find(({ request_id }) => request_id === id)?.result;
    if (result?.type === 'error') return result.code;
    if (result?.type === 'screen')
      return result.picture === undefined ? 'nothing new' : `revision ${String(result.picture.revision)}`;
    return result?.type === 'screen_page' ? `${String(result.page.lines.length)} lines` : result?.type;
  };

  async function ask(channel: SecureChannel, request: object): Promise<void> {
    await desk.say(channel, request);
    await hear(channel);
  }

  /** Of the terminal that was last shown. */
  const look = (id: string, after?: number) => {
    const last = answers.findLast(({ result }) => result.type === 'screen')?.result;
    const screen_id = last?.type === 'screen' ? last.screen_id : undefined;
    return { type: 'screen_look', request_id: id, after, screen_id };
  };

  it('is the present, then what changes, when it changes', async () => {
    const channel = await desk.connect('s1');
    await ask(channel, look('l1'));
    assert.equal(of('l1'), 'revision 1');
    await ask(channel, look('l2', 1));
    assert.equal(of('l2'), undefined, 'nothing has changed');
    screen.change();
    await hear(channel);
    assert.equal(of('l2'), 'revision 2');
    await ask(channel, { type: 'screen_page', request_id: 'p1', before: 300, limit: 200 });
    assert.equal(of('p1'), '200 lines');
  });

  it('is told ten seconds later at most, though nothing has changed', async () => {
    const channel = await desk.connect('s1');
    await ask(channel, look('l1'));
    await ask(channel, look('l2', 1));
    desk.clock.shift(10_000);
    await hear(channel);
    assert.equal(of('l2'), 'nothing new');
  });

  it('answers the newest look alone: who asks a thousand times costs no more than who asks once', async () => {
    const channel = await desk.connect('s1');
    await ask(channel, look('l'));
    for (let index = 0; index < 1_000; index += 1) await desk.say(channel, look(`l${String(index)}`, 1));
    await turn();
    screen.change();
    await hear(channel);
    assert.deepEqual(
      answers.map(({ request_id }) => request_id),
      ['l', 'l999'],
    );
    assert.ok(screen.looks.length < 1_010);
  });

  it('is told whole when it is another terminal than the one that the phone knows', async () => {
    const channel = await desk.connect('s1');
    await ask(channel, look('l1'));
    const known = look('l2', 1);
    terminal = new ShownTerminal(screen);
    screen.revision = 7;
    const [before] = answers.map(({ result }) => (result.type === 'screen' ? result : undefined));
    await ask(await desk.connect('s2'), { type: 'screen_look', request_id: 'other' });
    await ask(channel, known);
    const after = answers.map(({ result }) => (result.type === 'screen' ? result : undefined)).at(-1);
    assert.notEqual(after?.screen_id, before?.screen_id);
    assert.equal(after?.picture?.changed.length, after?.picture?.rows, 'all of it');
  });

  it('says why there is none', async () => {
    const lost = await desk.connect('nowhere');
    await ask(lost, look('lost'));
    assert.equal(of('lost'), 'not_found');
    const channel = await desk.connect('s1');
    screen.failure = 'unsupported';
    await ask(channel, look('old'));
    assert.equal(of('old'), 'unsupported_operation');
    screen.failure = 'malformed';
    await ask(channel, look('odd'));
    assert.equal(of('odd'), 'internal');
    screen.failure = undefined;
    await ask(channel, look('l1'));
    await ask(channel, look('l2', 1));
    screen.fail('gone');
    await hear(channel);
    assert.equal(of('l2'), 'not_running');
    terminal = undefined;
    await ask(channel, look('none'));
    assert.equal(of('none'), 'not_running');
  });

  it('is refused by name when it does not fit, and when the keeper gives no page', async () => {
    const channel = await desk.connect('s1');
    screen.text = 'x'.repeat(65_536);
    await ask(channel, look('large'));
    assert.equal(of('large'), 'frame_too_large');
    screen.holdPages = true;
    await ask(channel, { type: 'screen_page', request_id: 'p1', before: 300, limit: 200 });
    desk.clock.shift(10_000);
    await hear(channel);
    assert.equal(of('p1'), 'busy');
  });

  it('is for owners and co-drivers alone: a screen shows more than was said', async () => {
    for (const [role, told] of [
      ['viewer', 'not_owner'],
      ['co_driver', 'revision 1'],
    ] as const) {
      desk.dispose();
      await begin(role);
      const channel = await desk.connect('s1');
      await ask(channel, look('l1'));
      assert.equal(of('l1'), told);
      await ask(channel, { type: 'screen_page', request_id: 'p1', before: 300, limit: 200 });
      assert.equal(of('p1'), role === 'viewer' ? 'not_owner' : '200 lines');
      assert.equal(screen.looks.length + screen.pages.length, role === 'viewer' ? 0 : 2);
    }
  });
});
