import assert from 'node:assert/strict';
import fc from 'fast-check';
import { agentId, blockId, sessionId, turnId } from '../../../core/protocol/ids.ts';
import type { Block } from '../../../core/protocol/block.ts';
import type { SessionSummary } from '../../../core/protocol/message.ts';
import {
  emptyConversation,
  pendingRequests,
  reduceConversation,
  type Conversation,
} from '../../../phone/state/conversation.ts';
import { reduceOutbox, type OutgoingPrompt } from '../../../phone/state/outbox.ts';

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

function text(id: string, content: string, done: boolean): Block {
  return { type: 'text', ts: 1, id: blockId.parse(id), text: content, done };
}

function tell(state: Conversation, blocks: readonly Block[], from = state.seq + 1): Conversation {
  return blocks.reduce(
    (current, block, index) =>
      reduceConversation(current, { kind: 'event', seq: from + index, generation: 0, block }),
    state,
  );
}

describe('a conversation on the phone', () => {
  it('replaces what comes again under an id, in its place [T29]', () => {
    let state = tell(emptyConversation, [text('a', 'one', true)]);
    state = reduceConversation(state, { kind: 'live', generation: 0, block: text('b', 'gro', false) });
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

  it('notices every gap: a missing event, a short replay, a heartbeat that knows more', () => {
    const state = tell(emptyConversation, [text('a', '1', true)]);
    assert.equal(tell(state, [text('c', '3', true)], 3).broken, true);
    assert.equal(
      reduceConversation(state, { kind: 'replay_done', up_to_seq: 2, generation: 0, summary }).broken,
      true,
    );
    assert.equal(reduceConversation(state, { kind: 'heartbeat', last_seq: 2 }).broken, true);
    assert.equal(reduceConversation(state, { kind: 'heartbeat', last_seq: 1 }).broken, false);
    const complete = reduceConversation(state, { kind: 'replay_done', up_to_seq: 1, generation: 0, summary });
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

describe('the outbox', () => {
  const one: OutgoingPrompt = { clientMsgId: 'c1', text: 'go', state: 'sending' };

  it('keeps a prompt until the machine’s record shows it', () => {
    const echo: Block = {
      type: 'user_echo',
      ts: 1,
      id: blockId.parse('p'),
      text: 'go',
      state: 'queued',
      client_msg_id: 'c1',
    };
    const conversation = tell(emptyConversation, [echo]);
    assert.deepEqual(reduceOutbox([one], { type: 'confirmed', conversation: emptyConversation }), [one]);
    assert.deepEqual(reduceOutbox([one], { type: 'confirmed', conversation }), []);
  });

  it('shows a refusal, and sends again under the same id', () => {
    const refused = reduceOutbox([one], { type: 'refused', clientMsgId: 'c1', code: 'busy' });
    assert.deepEqual(refused, [{ ...one, state: 'failed', code: 'busy' }]);
    assert.deepEqual(reduceOutbox(refused, { type: 'retry', clientMsgId: 'c1' }), [one]);
    assert.deepEqual(reduceOutbox(refused, { type: 'discard', clientMsgId: 'c1' }), []);
  });

  it('is bounded', () => {
    const many = Array.from({ length: 40 }, (_, n) => `c${String(n)}`).reduce<readonly OutgoingPrompt[]>(
      (prompts, clientMsgId) => reduceOutbox(prompts, { type: 'add', clientMsgId, text: 'x' }),
      [],
    );
    assert.equal(many.length, 32);
  });
});
