import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { startChain, type Chain } from '../../fakes/chain.ts';
import { untilSignal } from '../../fakes/until.ts';

/** Appends texts to a closed journal, as many turns would have. */
function lengthen(journal: string, count: number): void {
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  const first = lines.length;
  const more = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      seq: first + index,
      block: {
        type: 'text',
        ts: 1_800_000_000 + index,
        id: `old${String(index)}`,
        text: `line ${String(index)}`,
        done: true,
      },
    }),
  );
  writeFileSync(journal, `${[...lines, ...more].join('\n')}\n`);
}

describe('a long session, and a phone that comes late [R54] [T51]', function () {
  this.timeout(60_000);
  let chain: Chain;
  beforeEach(async () => {
    chain = await startChain();
  });
  afterEach(() => chain.dispose());

  const window = () =>
    untilSignal('the window of now', chain.machine.windows, windows =>
      windows.find(each => each.channel.phase === 'open' && each.state !== undefined),
    );

  /** The session in the window that took the place of `old`. */
  async function follow(session: PhoneSession, old: string): Promise<PhoneSession> {
    const { instance } = await untilSignal('the session is listed', chain.machine.windows, windows =>
      windows.find(
        each =>
          each.instance !== old &&
          each.state?.sessions.some(({ session_id }) => session_id === session.id) === true,
      ),
    );
    return chain.machine.session(session.id, instance);
  }

  const texts = (session: PhoneSession): readonly string[] =>
    session.conversation.value.order.filter(id => id.startsWith('old'));

  it('shows the present at once, and what was before page by page, until all of it is there', async () => {
    const { instance } = await window();
    const session = chain.machine.startSession(instance, agentId.parse('demo'), 'hello');
    await untilSignal('an end', session.conversation, ({ entries }) =>
      [...entries.values()].some(entry => entry.type === 'session_end'),
    );
    const live = chain.bridge.sessions.find(session.id);
    assert.ok(live);
    live.end();
    await untilSignal(
      'the end is told',
      session.conversation,
      ({ summary }) => summary?.activity === 'ended',
    );
    const known = session.conversation.value.seq;
    await chain.stopBridge();
    const folder = join(chain.folder, 'state', 'sessions');
    const [journal] = readdirSync(folder).filter(name => name.endsWith('.jsonl'));
    assert.ok(journal);
    lengthen(join(folder, journal), 1_000);
    await chain.startBridge();

    const late = await follow(session, instance);
    await untilSignal(
      'the present',
      late.conversation,
      ({ complete, seq }) => complete && seq === known + 1_000,
    );
    assert.equal(late.conversation.value.oldest, known + 1_000 - limits.snapshotBlocks + 1);
    assert.equal(texts(late).length, limits.snapshotBlocks);
    assert.equal(late.conversation.value.agent?.agent_id, 'demo', 'who works there is told, too');
    for (let page = 0; page < 40 && late.conversation.value.oldest > 1; page += 1) await late.loadEarlier();
    assert.equal(late.conversation.value.oldest, 1);
    assert.deepEqual(
      texts(late),
      Array.from({ length: 1_000 }, (_, index) => `old${String(index)}`),
    );
    assert.deepEqual(late.conversation.value.order.slice(0, 2), session.conversation.value.order.slice(0, 2));
  });

  it('tells a growing text in patches: the phone has each character once, and the same text in the end [C39]', async () => {
    const session = chain.machine.startSession((await window()).instance, agentId.parse('demo'), 'count');
    await untilSignal('a text that grows', session.conversation, ({ revisions }) =>
      [...revisions.values()].some(rev => rev > 3),
    );
    const turn = await untilSignal('a turn', session.conversation, ({ summary }) => summary?.turn_id);
    await session.interrupt(turn);
    await untilSignal('the end', session.conversation, ({ entries }) =>
      [...entries.values()].some(entry => entry.type === 'session_end'),
    );
    const { entries, revisions } = session.conversation.value;
    assert.equal(revisions.size, 0);
    const desk = [...(chain.bridge.sessions.find(session.id)?.history(0) ?? [])].findLast(
      ({ block }) => block.type === 'text',
    );
    assert.ok(desk?.block.type === 'text');
    const shown = entries.get(desk.block.id);
    assert.ok(shown?.type === 'text');
    assert.equal(shown.text, desk.block.text);
    assert.ok(shown.text.length > 20);
  });
});
