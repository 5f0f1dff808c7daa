import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentId } from '../../../core/protocol/ids.ts';
import type { Block } from '../../../core/protocol/block/block.ts';
import { processStart } from '../../../platform/node/files/processStart.ts';
import type { Session } from '../../../src/session/session.ts';
import { startParts, type Parts } from '../../fakes/chain.ts';
import { untilChange } from '../../fakes/until.ts';

const demo = agentId.parse('demo');
const desk = { kind: 'desktop' as const };

describe('an editor that restarts in the middle of a turn [D1] [D5] [F65]', () => {
  let parts: Parts;
  beforeEach(async () => {
    parts = await startParts();
  });
  afterEach(() => parts.dispose());

  function start(prompt: string): Session {
    const created = parts.bridge.createSession(demo);
    assert.ok(created.ok);
    created.value.prompt(prompt, 'c1', desk);
    return created.value;
  }

  function blocks(session: Session): readonly Block[] {
    return [...session.history(0)].map(entry => entry.block);
  }

  function until(
    session: Session,
    what: string,
    check: (all: readonly Block[]) => boolean,
  ): Promise<unknown> {
    return untilChange(what, () => check(blocks(session)), session.onDidChange);
  }

  async function restart(session: Session): Promise<Session> {
    const { id } = session;
    await parts.restartBridge();
    const again = parts.bridge.sessions.find(id);
    assert.ok(again, 'the session is there again');
    return again;
  }

  function isWholeText(block: Block): boolean {
    return (block.type === 'text' || block.type === 'thinking') && block.done;
  }

  function isEnded(all: readonly Block[]): boolean {
    return all.some(block => block.type === 'session_end');
  }

  it('keeps to the end of a conversation that was told, and ends its agent', async () => {
    let session = start('count slowly');
    await untilChange('it works', () => session.agentPid > 0, session.onDidChange);
    const pid = session.agentPid;
    const started = processStart(pid);
    assert.ok(session.end().ok);
    session = await restart(session);
    assert.equal(session.summary.activity, 'ended');
    assert.equal(blocks(session).filter(block => block.type === 'session_end').length, 1);
    assert.equal(session.prompt('more', 'c2', desk).ok, false);
    while (processStart(pid) === started) await new Promise(resolve => setTimeout(resolve, 50));
  });

  it('attaches to the same agent, and writes each block once, whole [T28]', async () => {
    let session = start('hello');
    await untilChange(
      'a growing text',
      () => session.growing.some(block => block.type === 'text'),
      session.onDidUpdate,
    );
    const pid = session.agentPid;
    const before = session.lastSeq;
    session = await restart(session);
    assert.equal(session.agentPid, pid);
    await until(session, 'the end', isEnded);
    const all = blocks(session);
    assert.ok(all.length > before);
    const ids = all.filter(isWholeText).map(block => block.id);
    assert.equal(new Set(ids).size, ids.length, 'no text twice');
    const texts = all.flatMap(block => (block.type === 'text' && block.done ? [block.text] : []));
    assert.equal(texts.length, 1);
    assert.match(texts[0] ?? '', /^I am the \*\*demo agent\*\*[^]*nothing runs before you allow it";\n```$/);
    assert.equal(all.filter(block => block.type === 'session_end').length, 1);
    assert.deepEqual(
      [...session.history(0)].map(entry => entry.seq),
      all.map((_, index) => index + 1),
    );
  });

  it('keeps a request open over the restart: the answer runs exactly once', async () => {
    let session = start('write a note over a restart');
    await until(session, 'a request', () => session.pending.length > 0);
    session = await restart(session);
    const [request, ...more] = session.pending;
    assert.ok(request);
    assert.equal(more.length, 0);
    assert.equal(session.answer(request.id, 'allow', request.digest, desk).ok, true);
    await until(session, 'the end', isEnded);
    const notes = readFileSync(join(parts.workspace, 'demo-notes.md'), 'utf8');
    assert.equal(notes, '- write a note over a restart\n');
    const all = blocks(session);
    assert.equal(all.filter(block => block.type === 'permission_request').length, 1);
    assert.equal(all.filter(block => block.type === 'tool_result').length, 1);
  });

  it('keeps what waits over the restart, in its order, as it was changed, and delivers each once [T109]', async () => {
    let session = start('write a note that is asked about');
    await until(session, 'a request', () => session.pending.length > 0);
    for (const name of ['two', 'three', 'four']) assert.ok(session.prompt(`hello ${name}`, name, desk).ok);
    assert.ok(session.prompt('hello first', 'first', desk, 'steer').ok);
    assert.ok(session.editQueued('two', 'hello two, changed').ok);
    assert.ok(session.cancelQueued('three').ok);
    session = await restart(session);
    const [request] = session.pending;
    assert.ok(request);
    assert.ok(session.answer(request.id, 'deny', request.digest, desk).ok);
    const ends = (all: readonly Block[]): number => all.filter(block => block.type === 'session_end').length;
    await until(session, 'all turns', all => ends(all) === 4);
    const delivered = blocks(session).flatMap(block =>
      block.type === 'user_echo' && block.state === 'delivered' ? [block.text] : [],
    );
    assert.deepEqual(delivered.slice(1), ['hello first', 'hello two, changed', 'hello four']);
  });

  it('survives many restarts in one turn, at any moment', async () => {
    let session = start('hello');
    for (let round = 0; round < 5 && !isEnded(blocks(session)); round += 1) {
      await untilChange(
        'something more',
        () => session.growing.length > 0 || isEnded(blocks(session)),
        session.onDidUpdate,
      );
      session = await restart(session);
    }
    await until(session, 'the end', isEnded);
    const texts = blocks(session).filter(isWholeText);
    assert.equal(texts.length, 2);
  });

  it('says interrupted and unknown of what died with its agent, and runs nothing again [M69] [M71]', async () => {
    let session = start('write a note that dies');
    await until(session, 'a request', () => session.pending.length > 0);
    const pid = session.agentPid;
    await parts.stopBridge();
    process.kill(-pid, 'SIGKILL');
    while (processStart(pid) !== undefined) await new Promise(resolve => setImmediate(resolve));
    await parts.startBridge();
    const again = parts.bridge.sessions.find(session.id);
    assert.ok(again);
    session = again;
    await until(session, 'the end', isEnded);
    const all = blocks(session);
    assert.deepEqual(
      all.flatMap(block => (block.type === 'tool_result' ? [block.outcome] : [])),
      ['unknown'],
    );
    assert.equal(session.pending.length, 0);
    assert.equal(session.summary.activity, 'idle');
    session.prompt('hello after all', 'c2', desk);
    await until(
      session,
      'the next end',
      every => every.filter(block => block.type === 'session_end').length === 2,
    );
  });

  it('keeps what was said when editor and agent go together', async () => {
    let session = start('count slowly');
    const has = (step: string): boolean => session.growing.some(block => block.text.includes(step));
    await untilChange('some steps', () => has('Step 3 of'), session.onDidUpdate);
    const pid = session.agentPid;
    await parts.stopBridge();
    process.kill(-pid, 'SIGKILL');
    while (processStart(pid) !== undefined) await new Promise(resolve => setImmediate(resolve));
    await parts.startBridge();
    const again = parts.bridge.sessions.find(session.id);
    assert.ok(again);
    session = again;
    await until(session, 'the end', isEnded);
    const [text] = blocks(session).filter(isWholeText);
    assert.ok(text?.type === 'text' && text.text.includes('Step 3 of'));
  });

  it('leaves no agent beside the next one when its keeper is killed [D3]', async () => {
    const session = start('run sleep 300');
    await until(session, 'a request', () => session.pending.length > 0);
    const pid = session.agentPid;
    const [request] = session.pending;
    assert.ok(request);
    session.answer(request.id, 'allow', request.digest, desk);
    const keeper = Number(readFileSync(`/proc/${String(pid)}/stat`, 'utf8').split(' ')[3]);
    process.kill(keeper, 'SIGKILL');
    await until(session, 'the end', isEnded);
    assert.equal(processStart(pid), undefined);
  });

  it('lets a session belong to one window at a time', async () => {
    const session = start('hello');
    await until(session, 'the end', isEnded);
    const second = await parts.secondBridge();
    assert.equal(second.sessions.find(session.id), undefined);
    second.dispose();
    assert.ok(parts.bridge.sessions.find(session.id));
  });

  it('shows an ended session as ended, and starts no agent for it', async () => {
    let session = start('hello');
    await until(session, 'the end', isEnded);
    session.end();
    await untilChange('ended', () => session.summary.activity === 'ended', session.onDidChange);
    session = await restart(session);
    assert.equal(session.summary.activity, 'ended');
    assert.equal(session.agentPid, 0);
  });
});
