import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import { agentId } from '../../../core/protocol/ids.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { startChain, type Chain } from '../../fakes/chain.ts';
import { untilChange, untilSignal } from '../../fakes/until.ts';

describe('the chain from phone to demo agent', () => {
  let chain: Chain;
  before(async () => {
    chain = await startChain();
  });
  after(() => chain.dispose());

  async function start(prompt: string): Promise<PhoneSession> {
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(w => w.state !== undefined),
    );
    return chain.machine.startSession(window.instance, agentId.parse('demo'), prompt);
  }

  function ends(session: PhoneSession): readonly string[] {
    return [...session.conversation.value.entries.values()].flatMap(entry =>
      entry.type === 'session_end' ? [entry.reason] : [],
    );
  }

  function ended(session: PhoneSession, count = 1): Promise<readonly string[]> {
    return untilSignal('the end of the turn', session.conversation, () =>
      ends(session).length >= count ? ends(session) : undefined,
    );
  }

  async function asked(session: PhoneSession): Promise<PermissionRequest> {
    const request = await untilSignal('a request', session.pending, pending => pending[0]);
    await untilSignal('the present', session.isCurrent, current => current);
    return request;
  }

  function kinds(session: PhoneSession): readonly string[] {
    return [...session.conversation.value.entries.values()].map(entry => entry.type);
  }

  it('shows a turn while it streams, and its end once [T25] [T28] [T29]', async () => {
    const session = await start('hello');
    const seen = new Set<string>();
    const stop = session.conversation.subscribe(conversation => {
      for (const entry of conversation.entries.values())
        if (entry.type === 'text' && !entry.done) seen.add(entry.text);
    });
    assert.deepEqual(await ended(session), ['completed']);
    stop();
    assert.ok(seen.size > 1, `saw ${String(seen.size)} growing texts`);
    assert.deepEqual(kinds(session), ['user_echo', 'thinking', 'text', 'session_end']);
    assert.equal(session.outbox.value.length, 0);
  });

  it('does what was approved, and says who approved it [M62]', async () => {
    const session = await start('write a note about tests');
    const request = await asked(session);
    const file = join(chain.workspace, 'demo-notes.md');
    assert.equal(existsSync(file), false);
    const allow = request.options.find(option => option.kind === 'allow_once');
    assert.ok(allow);
    await session.answer(request, allow);
    assert.deepEqual(await ended(session), ['completed']);
    assert.equal(readFileSync(file, 'utf8'), '- write a note about tests\n');
    assert.ok(kinds(session).includes('diff'));
    assert.equal(session.conversation.value.resolutions.get(request.id)?.by_name, 'Test phone');
  });

  it('changes nothing that was denied [M44]', async () => {
    const file = join(chain.workspace, 'demo-notes.md');
    const before = readFileSync(file, 'utf8');
    const session = await start('write a note that must not be written');
    const request = await asked(session);
    const deny = request.options.find(option => option.kind === 'deny');
    assert.ok(deny);
    await session.answer(request, deny);
    assert.deepEqual(await ended(session), ['completed']);
    assert.equal(readFileSync(file, 'utf8'), before);
    const outcomes = [...session.conversation.value.results.values()].map(result => result.outcome);
    assert.deepEqual(outcomes, ['denied']);
  });

  it('runs an approved command, and no other: its digest covers the whole action', async () => {
    const session = await start('run echo approved > ran.txt');
    const request = await asked(session);
    const [allow] = request.options;
    assert.ok(allow);
    const forged = { ...request, input: { command: 'echo forged > ran.txt' } };
    await session.answer(forged, allow);
    assert.deepEqual(session.answers.value.get(request.id), { phase: 'failed', code: 'digest_mismatch' });
    assert.equal(existsSync(join(chain.workspace, 'ran.txt')), false);
    await session.answer(request, allow);
    await ended(session);
    assert.equal(readFileSync(join(chain.workspace, 'ran.txt'), 'utf8'), 'approved\n');
  });

  it('lets the desk and the phone answer one request once: the first wins', async () => {
    const session = await start('write a note with two answers');
    const request = await asked(session);
    const desk = chain.bridge.sessions.find(session.id);
    assert.ok(desk);
    const options = new Map(request.options.map(option => [option.kind, option]));
    const deny = options.get('deny');
    const allow = options.get('allow_once');
    assert.ok(deny && allow);
    assert.equal(desk.answer(request.id, deny.id, request.digest, { kind: 'desktop' }).ok, true);
    assert.deepEqual(desk.answer(request.id, allow.id, request.digest, { kind: 'desktop' }), {
      ok: false,
      code: 'stale_approval',
    });
    await session.answer(request, allow);
    await ended(session);
    assert.equal(session.conversation.value.resolutions.get(request.id)?.granted, false);
    assert.equal(session.conversation.value.resolutions.get(request.id)?.by, 'desktop');
  });

  it('interrupts a running turn, and goes on with the next prompt [M38]', async () => {
    const session = await start('count slowly');
    const turn = await untilSignal('a running turn', session.conversation, ({ summary, entries }) =>
      [...entries.values()].some(entry => entry.type === 'text') ? summary?.turn_id : undefined,
    );
    await session.interrupt(turn);
    assert.deepEqual(await ended(session), ['interrupted']);
    session.prompt('hello again');
    assert.deepEqual(await ended(session, 2), ['interrupted', 'completed']);
    const text = [...session.conversation.value.entries.values()].find(entry => entry.type === 'text');
    assert.ok(text?.type === 'text' && text.done && !text.text.includes('Step 200'));
  });

  it('withdraws a waiting request when its turn is interrupted, so that a late Allow is stale', async () => {
    const session = await start('write a note too late');
    const request = await asked(session);
    await session.interrupt(request.turn_id);
    assert.deepEqual(await ended(session), ['interrupted']);
    const [allow] = request.options;
    assert.ok(allow);
    await session.answer(request, allow);
    assert.equal(session.conversation.value.resolutions.get(request.id)?.by, 'interrupt');
    assert.ok(!readFileSync(join(chain.workspace, 'demo-notes.md'), 'utf8').includes('too late'));
  });

  it('tells a crash as what it is, closes what was open, and starts the agent again with its history [C43] [T68] [M71]', async () => {
    const session = await start('crash now');
    assert.deepEqual(await ended(session), ['error']);
    const told = [...session.conversation.value.entries.values()].find(entry => entry.type === 'error');
    assert.ok(told?.type === 'error');
    assert.deepEqual([told.code, told.recoverable, told.attempt], ['agent_crashed', true, 1]);
    const desk = chain.bridge.sessions.find(session.id);
    assert.ok(desk);
    const conversation = desk.nativeId;
    assert.ok(conversation !== undefined);
    await untilChange('the agent is back by itself', () => desk.life === 'ready', desk.onDidChange);
    session.prompt('hello once more');
    assert.deepEqual(await ended(session, 2), ['error', 'completed']);
    assert.equal(desk.nativeId, conversation);
    assert.equal(kinds(session).filter(kind => kind === 'error').length, 1);
  });

  it('queues prompts while a turn runs, and delivers each once, in order [T109] [T114]', async () => {
    const session = await start('hello one');
    await untilSignal('the channel', session.channel, channel => channel.phase === 'open');
    session.prompt('hello two');
    session.prompt('hello three');
    await ended(session, 3);
    const prompts = [...session.conversation.value.entries.values()].flatMap(entry =>
      entry.type === 'user_echo' ? [[entry.text, entry.state]] : [],
    );
    assert.deepEqual(prompts, [
      ['hello one', 'delivered'],
      ['hello two', 'delivered'],
      ['hello three', 'delivered'],
    ]);
  });

  it('resumes where it was after its connection was cut, with no gap and no double [T49] [T50]', async () => {
    const session = await start('hello before the cut');
    await untilSignal('a growing text', session.conversation, ({ entries }) =>
      [...entries.values()].some(entry => entry.type === 'text'),
    );
    chain.cutPhone();
    await untilSignal('offline', session.channel, channel => channel.phase !== 'open');
    assert.equal(session.isCurrent.value, false);
    assert.deepEqual(await ended(session), ['completed']);
    await untilSignal('the present', session.isCurrent, current => current);
    const desk = chain.bridge.sessions.find(session.id);
    assert.equal(session.conversation.value.seq, desk?.lastSeq);
    assert.equal(session.conversation.value.broken, false);
  });

  it('lists the session in its window, with what it asks', async () => {
    const session = await start('write a listed note');
    const request = await asked(session);
    const listed = await untilSignal('the row', chain.machine.windows, windows =>
      windows
        .flatMap(w => w.state?.sessions ?? [])
        .find(row => row.session_id === session.id && row.waiting === 1),
    );
    assert.equal(listed.asks, request.title);
    assert.equal(listed.activity, 'awaiting_approval');
    await session.end();
    await untilSignal('the end', session.conversation, ({ summary }) => summary?.activity === 'ended');
    assert.deepEqual(await ended(session), ['stopped']);
  });
});
