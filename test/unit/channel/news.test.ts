import assert from 'node:assert/strict';
import fc from 'fast-check';
import { noNews, reduceNews, type NewsState } from '../../../core/channel/news.ts';
import type { Block } from '../../../core/protocol/block/block.ts';
import { agentId, blockId, turnId } from '../../../core/protocol/ids.ts';
import type { BridgeMessage } from '../../../core/protocol/message.ts';

const turn_id = turnId.parse('t');

function ended(id: string, reason: 'completed' | 'interrupted' | 'error' = 'completed'): Block {
  return { type: 'session_end', ts: 1, turn_id, id: blockId.parse(id), reason };
}

function asks(id: string): Block {
  return {
    type: 'permission_request',
    ts: 1,
    turn_id,
    id: blockId.parse(id),
    agent_id: agentId.parse('demo'),
    tool: 'Bash',
    title: 'ls',
    input: { command: 'ls' },
    cwd: '/work',
    digest: 'a'.repeat(64),
    risk: 'low',
    options: [{ id: 'no', label: 'Deny', kind: 'deny' }],
  };
}

function answered(id: string): Block {
  return { type: 'permission_resolved', ts: 1, turn_id, id: blockId.parse(id), granted: false, by: 'device' };
}

const event = (block: Block, seq = 1): BridgeMessage => ({ kind: 'event', seq, generation: 0, block });
const tell = (state: NewsState, blocks: readonly Block[], isRereading = false): NewsState =>
  blocks.reduce((current, block) => reduceNews(current, event(block), isRereading), state);

describe('news of a session, each told once', () => {
  it('are what asks, ends and fails, by the id of its block', () => {
    assert.deepEqual(tell(noNews, [asks('a')]).latest, { key: 'a', kind: 'approval' });
    assert.deepEqual(tell(noNews, [ended('e')]).latest, { key: 'e', kind: 'done' });
    assert.equal(tell(noNews, [ended('e', 'interrupted'), ended('f', 'error')]).latest, undefined);
  });

  it('are over when somebody answered', () => {
    assert.equal(tell(noNews, [asks('a'), answered('a')]).latest, undefined);
    assert.deepEqual(tell(noNews, [asks('a'), asks('b'), answered('a')]).latest?.key, 'b');
  });

  it('are none when they were there before the reader looked, and do not become any later', () => {
    const before = tell(noNews, [asks('a'), ended('e')], true);
    assert.equal(before.latest, undefined);
    assert.equal(tell(before, [asks('a'), ended('e')]).latest, undefined);
  });

  it('come from events alone: no older page and no snapshot tells any', () => {
    const block = ended('e');
    for (const kind of ['history', 'live'] as const) {
      const message: BridgeMessage =
        kind === 'live' ? { kind, generation: 0, block } : { kind, seq: 1, generation: 0, block };
      assert.equal(reduceNews(noNews, message, false), noNews);
    }
  });

  it('are told once whatever is told again, and never cost more than their bound', () => {
    const block = fc
      .tuple(fc.boolean(), fc.nat(400))
      .map(([isEnd, n]) => (isEnd ? ended : asks)(`b${String(n)}`));
    fc.assert(
      fc.property(fc.array(block, { maxLength: 600 }), blocks => {
        let state = noNews;
        const told: string[] = [];
        for (const each of blocks) {
          const next = tell(state, [each]);
          if (next.latest !== state.latest && next.latest) told.push(next.latest.key);
          assert.ok(next.told.length <= 256);
          // What was among the last 256 news is none again.
          if (state.told.includes(blockId.parse(each.id))) assert.equal(next.latest, state.latest);
          state = next;
        }
        assert.deepEqual(told.slice(-256), [...state.told]);
      }),
    );
  });
});
