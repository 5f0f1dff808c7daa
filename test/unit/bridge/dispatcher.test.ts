import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { control } from '../../../core/protocol/control/control.ts';
import { agentId, controlSession, sessionId } from '../../../core/protocol/ids.ts';
import type { SecureChannel } from '../../../core/crypto/secureChannel.ts';
import type { PairedDevice } from '../../../src/bridge/pairedDevice.ts';
import { mayAsk } from '../../../src/bridge/roleRules.ts';
import type { SessionStore } from '../../../src/session/sessionStore.ts';
import { AnsweringDesk, answerIn } from '../../fakes/answeringDesk.ts';
import type { Desk } from '../../fakes/desk.ts';

const example = z.object({ least: z.looseObject({ type: z.string() }) });

describe('what a phone may say', () => {
  let answering: AnsweringDesk;
  let desk: Desk;
  let store: SessionStore;
  beforeEach(() => begin('owner'));
  afterEach(() => end());

  async function begin(role: PairedDevice['role']): Promise<void> {
    answering = await AnsweringDesk.create(role);
    ({ desk, store } = answering);
  }

  function end(): void {
    answering.dispose();
  }

  const ask = (channel: SecureChannel, control: object | string): Promise<string | undefined> =>
    answering.ask(channel, control);

  const open = { type: 'open', request_id: 'r0', agent_id: 'demo' };

  it('refuses by name what it does not know, what is malformed and what is too long, and goes on [T54]', async () => {
    const channel = await desk.connect('s1');
    assert.equal(await ask(channel, open), 'open');
    assert.equal(await ask(channel, { type: 'format_disk', request_id: 'r1' }), 'unsupported_operation');
    assert.equal(await ask(channel, { type: 'user_message', request_id: 'r2' }), 'invalid_request');
    assert.equal(
      await ask(channel, {
        type: 'user_message',
        request_id: 'r3',
        text: '',
        client_msg_id: 'c',
        delivery: 'auto',
      }),
      'invalid_request',
    );
    const long = {
      type: 'user_message',
      request_id: 'r4',
      text: '日'.repeat(30_000),
      client_msg_id: 'c',
      delivery: 'auto',
    };
    assert.equal(await ask(channel, long), 'frame_too_large');
    assert.equal(await ask(channel, { type: 'interrupt', request_id: 'r5', turn_id: 't' }), 'not_running');
    const answer = {
      type: 'permission_response',
      request_id: 'r6',
      id: 'p',
      option_id: 'allow',
      digest: 'a'.repeat(64),
    };
    assert.equal(await ask(channel, answer), 'stale_approval');
    assert.equal(await ask(channel, { type: 'resume', request_id: 'r7', since_seq: 999 }), 'stale_session');
    assert.equal(await ask(channel, { type: 'resume', request_id: 'r8', since_seq: 0 }), 'resume');
  });

  it('takes nothing in part: a folder, a model or a file that it would leave out is refused by name', async () => {
    for (const chosen of [{ cwd: '/elsewhere' }, { model: 'large' }, { effort: 'high' }]) {
      const channel = await desk.connect(`s_${Object.keys(chosen).join('')}`);
      const request = { ...open, request_id: `r_${Object.keys(chosen).join('')}`, ...chosen };
      assert.equal(await ask(channel, request), 'unsupported_operation');
    }
    const channel = await desk.connect('s1');
    assert.equal(await ask(channel, open), 'open');
    const file = { content_id: 'f1', mime: 'image/png', name: 'a.png', bytes: 10 };
    const prompt = {
      type: 'user_message',
      request_id: 'r1',
      text: 'look',
      client_msg_id: 'c',
      delivery: 'auto',
    };
    assert.equal(await ask(channel, { ...prompt, attachments: [file] }), 'unsupported_operation');
    assert.equal(await ask(channel, { ...prompt, request_id: 'r2', attachments: [] }), 'user_message');
  });

  it('says nothing to noise that names no request, and loses nothing by it', async () => {
    const channel = await desk.connect('s1');
    assert.equal(await ask(channel, open), 'open');
    for (const noise of [
      '',
      'null',
      '[]',
      '"x"',
      '{}',
      '{"type":5}',
      '{"request_id":"r"',
      'x'.repeat(100_000),
    ])
      assert.equal(await ask(channel, noise), undefined, noise.slice(0, 20));
    assert.equal(await ask(channel, { type: 'resume', request_id: 'r', since_seq: 0 }), 'resume');
  });

  it('takes a text that begins with a slash as a text [protocol 2.5]', async () => {
    const channel = await desk.connect('s1');
    await ask(channel, open);
    const sent = {
      type: 'user_message',
      request_id: 'r',
      text: '/exit',
      client_msg_id: 'c',
      delivery: 'auto',
    };
    assert.equal(await ask(channel, sent), 'user_message');
    const [prompt] = [...(store.all[0]?.history(1) ?? [])];
    assert.ok(prompt?.block.type === 'user_echo' && prompt.block.text === '/exit');
  });

  it('shows no terminal of a session that runs in none', async () => {
    const channel = await desk.connect('s1');
    await ask(channel, open);
    assert.equal(await ask(channel, { type: 'screen_look', request_id: 's1' }), 'not_running');
    const page = { type: 'screen_page', request_id: 's2', before: 10, limit: 201 };
    assert.equal(await ask(channel, page), 'invalid_request');
  });

  it('opens a session once, for an agent that is there', async () => {
    const channel = await desk.connect('s1');
    assert.equal(await ask(channel, { ...open, agent_id: 'absent' }), 'not_found');
    assert.equal(await ask(channel, { ...open, request_id: 'r1' }), 'open');
    assert.equal(await ask(channel, { ...open, request_id: 'r2' }), 'request_conflict');
    assert.equal(store.all.length, 1);
  });

  it('does a request once, also when it comes again over another channel, and tells what became of it [R21]', async () => {
    const channel = await desk.connect('s1');
    assert.equal(await ask(channel, open), 'open');
    const sent = { type: 'user_message', request_id: 'm', text: 'go', client_msg_id: 'c', delivery: 'auto' };
    assert.equal(await ask(channel, sent), 'user_message');
    const before = store.all[0]?.lastSeq;
    assert.equal(await ask(channel, sent), 'user_message', 'the same answer');
    const again = await desk.connect('s1');
    assert.equal(await ask(again, sent), 'user_message');
    assert.equal(store.all[0]?.lastSeq, before, 'and nothing was done');
    assert.equal(await ask(again, { ...sent, text: 'stop' }), 'request_conflict');
    const elsewhere = await desk.connect('s2');
    assert.equal(await ask(elsewhere, sent), 'request_conflict', 'an id is for one session');
    const status = (target: string, id: string) => ({
      type: 'request_status',
      request_id: id,
      target_request_id: target,
    });
    assert.equal(await ask(again, status('m', 'q1')), 'request_status applied');
    assert.equal(await ask(again, status('never', 'q2')), 'request_status unknown');
  });

  it('refuses by name every control that it does not do yet, and a setting that is none [R23]', async () => {
    const channel = await desk.connect('s1');
    await ask(channel, open);
    const settings = { type: 'set_settings', request_id: 'r1', settings: { model: 'x' } };
    assert.equal(await ask(channel, settings), 'unsupported_operation');
    const other = { ...settings, request_id: 'r2', settings: { model: 'x', telemetry: false } };
    assert.equal(await ask(channel, other), 'invalid_request');
    assert.equal(await ask(channel, { type: 'get_usage', request_id: 'r3' }), 'unsupported_operation');
  });

  it('lets no phone make an agent act more freely than the desk does, neither at the beginning nor later [M67]', async () => {
    const channel = await desk.connect('s1');
    assert.equal(await ask(channel, { ...open, mode: 'full_access' }), 'not_owner');
    assert.equal(await ask(channel, { ...open, request_id: 'o1', mode: 'dontAsk' }), 'invalid_request');
    assert.equal(store.all.length, 0, 'nothing was opened');
    assert.equal(await ask(channel, { ...open, request_id: 'o2', mode: 'ask' }), 'open');
    const set = (value: string, id: string) => ({ type: 'set_mode', request_id: id, value });
    assert.equal(await ask(channel, set('full_access', 'r1')), 'not_owner');
    assert.equal(await ask(channel, set('approve_for_me', 'r2')), 'not_owner');
    store.all[0]?.approvals.setMode('full_access', { kind: 'desktop' });
    assert.equal(await ask(channel, set('ask', 'r3')), 'set_mode');
    assert.equal(await ask(channel, set('full_access', 'r4')), 'not_owner');
  });

  for (const role of ['owner', 'co_driver', 'viewer'] as const)
    it(`refuses by name what a phone may not ask for as ${role}, whichever control it is, and nothing else for that reason [D11] [C52]`, async () => {
      end();
      await begin(role);
      assert.ok(store.create(sessionId.parse('s1'), agentId.parse('demo')).ok);
      const channel = await desk.connect('s1');
      const folder = join(import.meta.dirname, '..', '..', 'vectors', 'protocol', 'controls');
      for (const type of control.def.options.flatMap(option => option.shape.type.def.values)) {
        const { least } = example.parse(JSON.parse(readFileSync(join(folder, `${type}.json`), 'utf8')));
        const answer = await ask(channel, { ...least, request_id: type });
        assert.equal(answer === 'not_owner', !mayAsk(role, type), `${type}: ${String(answer)}`);
      }
      const isEnded = store.all[0]?.summary.activity === 'ended';
      assert.equal(isEnded, role === 'owner');
    });

  it('lets a viewer read and nothing else: whatever would change something is refused as not_owner', async () => {
    end();
    await begin('viewer');
    assert.ok(store.create(sessionId.parse('s1'), agentId.parse('demo')).ok);
    const channel = await desk.connect('s1');
    const mutations = [
      { ...open, prompt: 'hello', client_msg_id: 'c1' },
      { type: 'user_message', request_id: 'r1', text: 'hello', client_msg_id: 'c2', delivery: 'auto' },
      {
        type: 'permission_response',
        request_id: 'r2',
        id: 'p',
        option_id: 'allow',
        digest: 'a'.repeat(64),
      },
      { type: 'interrupt', request_id: 'r3', turn_id: 't' },
      { type: 'end_session', request_id: 'r4' },
      { type: 'screen_look', request_id: 's1' },
      { type: 'screen_page', request_id: 's2', before: 10, limit: 10 },
    ];
    for (const mutation of mutations) assert.equal(await ask(channel, mutation), 'not_owner', mutation.type);
    assert.equal(await ask(await desk.connect('s2'), { ...open, request_id: 'r9' }), 'not_owner');
    assert.equal(store.all.length, 1);
    assert.deepEqual([...(store.all[0]?.history(1) ?? [])], []);
    assert.equal(await ask(channel, { type: 'resume', request_id: 'r5', since_seq: 0 }), 'resume');
    const reserved = await desk.connect(controlSession(desk.instance));
    assert.equal(await ask(reserved, { type: 'list_sessions', request_id: 'r6' }), 'list_sessions');
  });

  it('knows no session that was not opened, and opens none in the reserved one', async () => {
    const lost = await desk.connect('nowhere');
    assert.equal(await ask(lost, { type: 'resume', request_id: 'r', since_seq: 0 }), 'not_found');
    const reserved = await desk.connect(controlSession(desk.instance));
    assert.equal(await ask(reserved, open), 'invalid_request');
    assert.equal(await ask(reserved, { type: 'list_sessions', request_id: 'l' }), 'list_sessions');
  });

  it('answers by name when the disk refuses, instead of leaving the phone to wait', async () => {
    writeFileSync(join(desk.folder, 'sessions'), 'a file where the folder of the journals would be');
    const channel = await desk.connect('s1');
    assert.equal(await ask(channel, open), 'internal');
    assert.ok(desk.logger.lines.some(line => line.startsWith('control.failed')));
  });

  it('tells one page of history at a time: who asks for more meanwhile costs no memory', async () => {
    const channel = await desk.connect('s1');
    await ask(channel, open);
    for (let count = 0; count < 20; count += 1)
      store.all[0]?.prompt('x'.repeat(1_000), `p${String(count)}`, { kind: 'desktop' });
    const asked = 60;
    const one = { type: 'history_request', before_seq: 21, limit: 50 };
    await Promise.all(
      Array.from({ length: asked }, (_, index) =>
        desk.say(channel, { ...one, request_id: `h${String(index)}` }),
      ),
    );
    const results: string[] = [];
    for (let round = 0; round < 200 && results.length < asked; round += 1) {
      results.push(...(await desk.read(channel)).flatMap(message => answerIn(message) ?? []));
      await new Promise(resolve => setImmediate(resolve));
    }
    const told = results.filter(result => result === 'history').length;
    assert.equal(results.length, asked);
    assert.ok(told >= 1 && told <= asked / 4, `${String(told)} of ${String(asked)} at once`);
    assert.equal(results.filter(result => result === 'busy').length, asked - told);
    assert.equal(await ask(channel, { ...one, request_id: 'later' }), 'history');
  });

  it('tells the newest blocks of what is before a seq that is not there yet', async () => {
    const channel = await desk.connect('s1');
    await ask(channel, open);
    const { lastSeq } = store.all[0] ?? assert.fail();
    const request = {
      type: 'history_request',
      request_id: 'h',
      before_seq: Number.MAX_SAFE_INTEGER,
      limit: 50,
    };
    await desk.say(channel, request);
    const seqs: number[] = [];
    for (let round = 0; round < 50 && seqs.length < lastSeq; round += 1) {
      for (const message of await desk.read(channel)) {
        const parsed = z.object({ kind: z.literal('history'), seq: z.int() }).safeParse(message);
        if (parsed.success) seqs.push(parsed.data.seq);
      }
      await new Promise(resolve => setImmediate(resolve));
    }
    assert.equal(seqs[0], lastSeq);
    assert.equal(seqs.at(-1), 1);
  });
});
