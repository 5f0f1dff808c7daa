import assert from 'node:assert/strict';
import fc from 'fast-check';
import { agentId, blockId, sessionId, turnId } from '../../../core/protocol/ids.ts';
import type { Block } from '../../../core/protocol/block/block.ts';
import { receivedBlock, type ReceivedBlock } from '../../../core/protocol/block/receivedBlock.ts';
import type { SessionSummary } from '../../../core/protocol/windowState.ts';
import {
  emptyConversation,
  pendingRequests,
  reduceConversation,
  type Conversation,
} from '../../../phone/state/conversation.ts';
import { createHash } from 'node:crypto';
import { TextPatcher } from '../../../core/channel/textPatcher.ts';

const summary: SessionSummary = {
  session_id: sessionId.parse('s'),
  agent_id: agentId.parse('demo'),
  agent_name: 'Demo agent',
  title: 'x',
  cwd: '/work',
  activity: 'idle',
  updated_at: 1,
  waiting: 0,
};

const digest = (content: string): string => createHash('sha256').update(content).digest('hex');
const reduce = (state: Conversation, message: Parameters<typeof reduceConversation>[1]): Conversation =>
  reduceConversation(state, message, digest);

function text(id: string, content: string, done: boolean): Block {
  return { type: 'text', ts: 1, id: blockId.parse(id), text: content, done };
}

function tell(state: Conversation, blocks: readonly ReceivedBlock[], from = state.seq + 1): Conversation {
  return blocks.reduce(
    (current, block, index) => reduce(current, { kind: 'event', seq: from + index, generation: 0, block }),
    state,
  );
}

describe('a conversation on the phone', () => {
  it('replaces what comes again under an id, in its place [T29]', () => {
    let state = tell(emptyConversation, [text('a', 'one', true)]);
    state = reduce(state, { kind: 'live', generation: 0, block: text('b', 'gro', false) });
    state = tell(state, [text('c', 'three', true), text('b', 'grown', true)]);
    const shown = state.order
      .map(id => state.entries.get(id))
      .map(entry => entry?.type === 'text' && entry.text);
    assert.deepEqual(shown, ['one', 'grown', 'three']);
  });

  it('is the same whatever part of it is told twice', () => {
    const blocks = Array.from({ length: 12 }, (_, n) => text(`b${String(n % 5)}`, String(n), true));
    const whole = tell(emptyConversation, blocks);
    fc.assert(
      fc.property(fc.nat(12), fc.nat(12), (cut, back) => {
        const first = tell(emptyConversation, blocks.slice(0, cut));
        const again = Math.max(0, cut - back);
        assert.deepEqual(tell(first, blocks.slice(again), again + 1), whole);
      }),
    );
  });

  it('notices every gap: a missing event, a short replay, a heartbeat that knows more [T52]', () => {
    const state = tell(emptyConversation, [text('a', '1', true)]);
    assert.equal(tell(state, [text('c', '3', true)], 3).broken, true);
    assert.equal(reduce(state, { kind: 'replay_done', up_to_seq: 2, generation: 0, summary }).broken, true);
    assert.equal(reduce(state, { kind: 'heartbeat', last_seq: 2 }).broken, true);
    assert.equal(reduce(state, { kind: 'heartbeat', last_seq: 1 }).broken, false);
    const complete = reduce(state, { kind: 'replay_done', up_to_seq: 1, generation: 0, summary });
    assert.deepEqual([complete.complete, complete.broken], [true, false]);
  });

  it('asks for what has no answer, oldest first', () => {
    const ask = (id: string): Block => ({
      type: 'permission_request',
      ts: 1,
      id: blockId.parse(id),
      turn_id: turnId.parse('t'),
      agent_id: agentId.parse('demo'),
      tool: 'Bash',
      title: id,
      input: {},
      cwd: '/',
      digest: 'a'.repeat(64),
      risk: 'low',
      options: [{ id: 'allow', label: 'Allow', kind: 'allow_once' }],
    });
    let state = tell(emptyConversation, [ask('p1'), ask('p2')]);
    assert.deepEqual(
      pendingRequests(state).map(request => request.id),
      ['p1', 'p2'],
    );
    state = tell(state, [
      { type: 'permission_resolved', ts: 2, id: blockId.parse('p1'), granted: true, by: 'device' },
    ]);
    assert.deepEqual(
      pendingRequests(state).map(request => request.id),
      ['p2'],
    );
  });
});

describe('texts that are told in patches [C39]', () => {
  const id = blockId.parse('t');
  const form = (content: string, done = false) => ({ id, type: 'text' as const, ts: 1, text: content, done });
  const shown = (state: Conversation): string | undefined => {
    const entry = state.entries.get(id);
    return entry?.type === 'text' ? entry.text : undefined;
  };

  it('read as if they had been told whole', () => {
    const patcher = new TextPatcher(digest);
    let state = emptyConversation;
    for (const content of ['He', 'Hello', 'Hello wörld']) {
      state = reduce(state, { kind: 'patch', generation: 0, patch: patcher.next(form(content)) });
      assert.equal(shown(state), content);
    }
    const patch = patcher.next(form('Hello wörld!', true));
    state = reduce(state, { kind: 'event_patch', seq: 1, generation: 0, patch });
    assert.deepEqual([shown(state), state.seq, state.broken], ['Hello wörld!', 1, false]);
    const whole = tell(emptyConversation, [text('t', 'Hello wörld!', true)]);
    assert.deepEqual(state, whole, 'nothing of the way is left');
  });

  it('are waited for when one is missing, and read again when an event cannot be rebuilt', () => {
    const patcher = new TextPatcher(digest);
    const first = patcher.next(form('one'));
    patcher.next(form('one two'));
    const third = patcher.next(form('one two three'));
    let state = reduce(emptyConversation, { kind: 'patch', generation: 0, patch: first });
    state = reduce(state, { kind: 'patch', generation: 0, patch: third });
    assert.deepEqual([shown(state), state.broken], ['one', false]);
    const last = patcher.next(form('one two three', true));
    assert.equal(reduce(state, { kind: 'event_patch', seq: 1, generation: 0, patch: last }).broken, true);
  });
});

describe('a long conversation', () => {
  const blocks = Array.from({ length: 30 }, (_, n) => text(`b${String(n + 1)}`, String(n + 1), true));
  const names = (state: Conversation): readonly string[] => [...state.order];

  function history(state: Conversation, before: number, limit: number): Conversation {
    let next = state;
    for (let seq = before - 1; seq >= Math.max(1, before - limit); seq -= 1) {
      const block = blocks[seq - 1];
      assert.ok(block);
      next = reduce(next, { kind: 'history', seq, generation: 0, block });
    }
    return next;
  }

  it('begins with its newest part, and goes back page by page to the very same [T51] [R54]', () => {
    const whole = tell(emptyConversation, blocks);
    let state = reduce(whole, { kind: 'snapshot', seq: 20, generation: 0, summary });
    state = tell(state, blocks.slice(20), 21);
    assert.deepEqual([state.order.length, state.oldest, state.broken], [10, 21, false]);
    state = history(state, 21, 8);
    assert.equal(state.oldest, 13);
    state = history(state, 13, 50);
    assert.equal(state.oldest, 1);
    assert.deepEqual(names(state), names(whole));
    assert.deepEqual([...state.entries.values()].length, 30);
  });

  it('keeps what is newer, and puts what was carried along in its place', () => {
    let state = reduce(emptyConversation, { kind: 'snapshot', seq: 20, generation: 0, summary });
    state = reduce(state, { kind: 'live', generation: 0, block: text('b5', 'newer', true) });
    state = tell(state, blocks.slice(20), 21);
    state = history(state, 21, 50);
    const entry = state.entries.get(blockId.parse('b5'));
    assert.ok(entry?.type === 'text');
    assert.equal(entry.text, 'newer');
    assert.deepEqual(names(state), names(tell(emptyConversation, blocks)));
  });

  it('takes no page that leaves a hole', () => {
    let state = reduce(emptyConversation, { kind: 'snapshot', seq: 20, generation: 0, summary });
    state = tell(state, blocks.slice(20), 21);
    state = history(state, 15, 5);
    assert.equal(state.oldest, 21);
  });

  it('keeps the place of a block that it does not know, so that nothing is missing [T54]', () => {
    const block = { type: 'unrecognised' as const, ts: 1, name: 'hologram' };
    const state = reduce(emptyConversation, { kind: 'event', seq: 1, generation: 0, block });
    assert.deepEqual([state.seq, state.broken, state.order.length], [1, false, 1]);
  });

  it('lets nothing be answered that it cannot read whole, and reads on after it [T54]', () => {
    const asked = {
      type: 'permission_request',
      ts: 1,
      id: 'p',
      turn_id: 't',
      agent_id: 'demo',
      tool: 'Bash',
      title: 'asks',
      input: {},
      cwd: '/',
      digest: 'a'.repeat(64),
      risk: 'low',
      options: [{ id: 'allow', label: 'Allow', kind: 'allow_once' }],
    };
    const read = (block: unknown) => receivedBlock.parse(block);
    const newer = [
      { ...asked, risk: 'immense' },
      { ...asked, options: [...asked.options, { id: 'ever', label: 'Ever', kind: 'allow_everywhere' }] },
      { type: 'permission_resolved', ts: 2, id: 'p', granted: true, by: 'watchman' },
    ];
    for (const block of newer) {
      const first = tell(emptyConversation, [read(asked)]);
      assert.equal(pendingRequests(first).length, 1);
      const second = tell(first, [read(block)]);
      assert.deepEqual(pendingRequests(second), [], 'not as it was asked before either');
      const third = tell(second, [text('a', 'more', true)]);
      assert.deepEqual([third.seq, third.broken, third.order], [3, false, ['p', 'a']]);

      // The same, read backwards as history.
      let state = reduce(emptyConversation, { kind: 'snapshot', seq: 2, generation: 0, summary });
      state = reduce(state, { kind: 'history', seq: 2, generation: 0, block: read(block) });
      state = reduce(state, { kind: 'history', seq: 1, generation: 0, block: read(asked) });
      assert.deepEqual([pendingRequests(state), state.oldest], [[], 1]);
    }
  });
});
