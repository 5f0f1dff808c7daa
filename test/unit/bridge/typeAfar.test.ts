import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fail, ok } from '../../../core/base/result.ts';
import { approvalDigest } from '../../../core/crypto/approvalDigest.ts';
import type { SecureChannel } from '../../../core/crypto/secureChannel.ts';
import { pressKey } from '../../../core/protocol/control/screenControls.ts';
import { controlSession, sessionId } from '../../../core/protocol/ids.ts';
import { receivedResponse, type ReceivedResponse } from '../../../core/protocol/response.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import type { PairedDevice } from '../../../src/bridge/pairedDevice.ts';
import { Dispatcher } from '../../../src/bridge/dispatcher.ts';
import { keyBytes } from '../../../src/bridge/keyBytes.ts';
import { SessionStore } from '../../../src/session/sessionStore.ts';
import type { Typed, TypingFailure } from '../../../src/terminal/keeperTyping.ts';
import { Desk } from '../../fakes/desk.ts';
import { createProgramAdapter, programAgent } from '../../fakes/programAdapter.ts';
import { ShownTerminal } from '../../fakes/shownTerminal.ts';

describe('typing into a terminal from afar [M49] [D2]', () => {
  let desk: Desk;
  let store: SessionStore;
  let terminal: ShownTerminal;
  let answers: ReceivedResponse[];
  let screen_id: string;
  let channel: SecureChannel;
  beforeEach(() => begin('owner'));
  afterEach(() => end());

  async function begin(role: PairedDevice['role']): Promise<void> {
    desk = await Desk.create({ role });
    terminal = new ShownTerminal();
    answers = [];
    const adapter = createProgramAdapter('');
    const gone = () => Promise.resolve(fail('gone'));
    store = new SessionStore({
      clock: desk.clock,
      uniqueId: () => '0'.repeat(32),
      unit: () => 0.5,
      digest: action => approvalDigest(nodeCrypto, action),
      directory: join(desk.folder, 'sessions'),
      cwd: () => desk.folder,
      findAgent: () => ({ adapter, detected: { version: '1', command: { argv: [], env: {} } } }),
      logger: desk.logger,
      keepers: {
        open: () => Promise.resolve(fail('agent_failed')),
        reopen: gone,
        openTerminal: () => Promise.resolve(ok(terminal)),
        reopenTerminal: gone,
        endOtherVersion: () => Promise.resolve(),
      },
    });
    const dispatcher = new Dispatcher({
      clock: desk.clock,
      logger: desk.logger,
      sessions: store,
      controlSession: controlSession(desk.instance),
      rotateKey: () => Promise.resolve(fail('internal')),
      windowState: () => ({ machine: 'm', workspace: 'w', cwd: '/', agents: [], sessions: [] }),
    });
    desk.receive = (from, text) => dispatcher.receive(from, text);
    const session = store.create(sessionId.parse('s1'), programAgent);
    assert.ok(session.ok && (await session.value.continueInTerminal()).ok);
    channel = await desk.connect('s1');
    await ask({ type: 'screen_look', request_id: 'look' });
    const looked = answers[0]?.result;
    screen_id = looked?.type === 'screen' ? looked.screen_id : 'f'.repeat(16);
  }

  function end(): void {
    store.dispose();
    desk.dispose();
  }

  async function hear(): Promise<void> {
    for (let round = 0; round < 20; round += 1) {
      for (const message of await desk.read(channel)) {
        const parsed = receivedResponse.safeParse(message);
        if (parsed.success) answers.push(parsed.data);
      }
      await turn();
    }
  }

  async function ask(request: object): Promise<void> {
    await desk.say(channel, request);
    await hear();
  }

  const said = (id: string): readonly string[] =>
    answers.flatMap(({ request_id, receipt = 'no receipt', result }) =>
      request_id === id ? [`${receipt} ${result.type === 'error' ? result.code : result.type}`] : [],
    );
  const text = (request_id: string, words: string, more: object = {}) => ({
    type: 'type_text',
    request_id,
    screen_id,
    text: words,
    submit: true,
    ...more,
  });
  const press = (request_id: string, key: string) => ({ type: 'press_key', request_id, screen_id, key });

  it('is a text with an Enter, or a key of a closed list, in the order in which they come', async () => {
    await ask(text('t1', 'fix it'));
    await ask(text('t2', 'rm -rf /\u001b[201~', { submit: false, force: true }));
    await ask(press('k1', 'shift_tab'));
    await ask(press('k2', 'y'));
    assert.deepEqual(terminal.typed, [
      'fix it and Enter',
      'rm -rf /\u001b[201~, forced',
      JSON.stringify('\u001b[Z'),
      '"y"',
    ]);
    assert.deepEqual([said('t1'), said('k1')], [['applied type_text'], ['applied press_key']]);
    await ask(press('k3', 'f12'));
    await ask(text('t3', ''));
    assert.deepEqual([said('k3'), said('t3')], [['rejected invalid_request'], ['rejected invalid_request']]);
    assert.equal(terminal.typed.length, 4);
  });

  it('sends for each key what a terminal sends, and never the beginning of a paste', () => {
    for (const key of pressKey.shape.key.options) {
      const bytes = Buffer.from(keyBytes(key)).toString();
      assert.match(
        bytes,
        key.length === 1 ? /^[a-z0-9]$/ : /^(?:[\r\t \u0003\u007f\u001b]|\u001b\[(?:[A-DZ]|[56]~))$/,
      );
    }
    assert.ok(pressKey.shape.key.options.length > 20);
  });

  it('is done once, however often it is said, also while it is still on its way', async () => {
    let typed: (outcome: Typed) => void = () => undefined;
    terminal.answer = () => new Promise(resolve => (typed = resolve));
    await ask(text('t1', 'once'));
    await ask(text('t1', 'once'));
    assert.deepEqual(said('t1'), [], 'nobody knows yet');
    typed(ok('typed'));
    await hear();
    await ask(text('t1', 'once'));
    assert.deepEqual(said('t1'), ['applied type_text', 'applied type_text']);
    await ask(text('t1', 'twice'));
    assert.deepEqual(said('t1').at(-1), 'rejected request_conflict');
    assert.deepEqual(terminal.typed, ['once and Enter']);
    await ask({ type: 'request_status', request_id: 'q', target_request_id: 't1' });
    assert.equal(answers.at(-1)?.result.type, 'request_status');
  });

  it('says why nothing was typed, and that nobody knows when nobody does', async () => {
    const outcomes: readonly (readonly [TypingFailure, string])[] = [
      ['desk_is_typing', 'rejected busy'],
      ['busy', 'rejected rate_limited'],
      ['gone', 'rejected not_running'],
      ['unsupported', 'rejected unsupported_operation'],
      ['too_long', 'rejected frame_too_large'],
      ['not_keys', 'rejected invalid_request'],
      ['unread', 'unknown slow_consumer'],
      ['unanswered', 'unknown internal'],
    ];
    for (const [code, told] of outcomes) {
      terminal.answer = () => Promise.resolve(fail(code));
      await ask(text(code, 'x'));
      assert.deepEqual(said(code), [told]);
    }
    const before = terminal.typed.length;
    await ask(text('long', '日'.repeat(30_000)));
    assert.deepEqual(said('long'), ['rejected frame_too_large']);
    assert.equal(terminal.typed.length, before);
  });

  it('goes into the terminal that was seen, and into no other', async () => {
    await ask({ ...text('t1', 'x'), screen_id: 'e'.repeat(16) });
    assert.deepEqual(said('t1'), ['rejected not_running']);
    channel = await desk.connect('s2');
    await ask(text('t2', 'x'));
    assert.deepEqual(said('t2'), ['rejected not_running']);
    assert.deepEqual(terminal.typed, []);
  });

  it('is for owners alone', async () => {
    for (const role of ['co_driver', 'viewer'] as const) {
      end();
      await begin(role);
      await ask(text('t1', 'x'));
      await ask(press('k1', 'enter'));
      assert.deepEqual([said('t1'), said('k1')], [['rejected not_owner'], ['rejected not_owner']]);
      assert.deepEqual(terminal.typed, []);
    }
  });
});
