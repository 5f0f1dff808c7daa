import assert from 'node:assert/strict';
import { limits } from '../../../../core/protocol/limits.ts';
import type { AgentEvent } from '../../../../src/adapters/agent.ts';
import { ClaudeDecoder } from '../../../../src/adapters/claude/claudeDecoder.ts';
import type { ClaudeInput } from '../../../../src/adapters/claude/claudeInput.ts';

function decode(frames: readonly object[], decoder = new ClaudeDecoder('/work')): readonly AgentEvent[] {
  return frames.flatMap(frame => decoder.receive(JSON.stringify(frame)).events);
}

function blocks(events: readonly AgentEvent[]) {
  return events.flatMap(event => (event.type === 'block' ? [event.block] : []));
}

const stream = (event: object, parent: string | null = null) => ({
  type: 'stream_event',
  event,
  parent_tool_use_id: parent,
});
const start = (id: string, parent: string | null = null) =>
  stream({ type: 'message_start', message: { id } }, parent);
const begin = (index: number, type = 'text') =>
  stream({ type: 'content_block_start', index, content_block: { type } });
const delta = (index: number, text: string) =>
  stream({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } });
const stop = (index: number) => stream({ type: 'content_block_stop', index });
const said = (id: string, content: readonly object[], extra: object = {}) => ({
  type: 'assistant',
  uuid: `u-${id}`,
  parent_tool_use_id: null,
  message: { id, content },
  ...extra,
});
const result = (extra: object = {}) => ({
  type: 'result',
  subtype: 'success',
  uuid: 'r1',
  is_error: false,
  ...extra,
});
const ask = (id: string, input: object, tool = 'Bash', extra: object = {}) => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'can_use_tool', tool_name: tool, input, tool_use_id: `toolu-${id}`, ...extra },
});

describe('the decoder of Claude Code', () => {
  it('passes over what it does not know, and counts it', () => {
    const decoder = new ClaudeDecoder('/work');
    const lines = [
      '',
      'no json',
      '[]',
      '{"type":"brand_new"}',
      '{"type":"assistant","message":7}',
      '{"type":"system"}',
    ];
    for (const line of lines) assert.deepEqual(decoder.receive(line), { events: [], replies: [] });
    assert.equal(decoder.skipped, lines.length);
    assert.ok(decoder.isSettled);
  });

  it('hands on that Claude Code has a reason of its own to ask [M42]', () => {
    const hint = (extra: object): unknown => {
      const [event] = decode([ask('r1', { command: 'git status' }, 'Bash', extra)]);
      return event?.type === 'proposal' ? event.action.hint : 'no proposal';
    };
    assert.equal(hint({}), undefined);
    assert.equal(hint({ decision_reason_type: null, blocked_path: null }), undefined);
    assert.equal(hint({ decision_reason_type: 'rule' }), 'medium');
    assert.equal(hint({ blocked_path: '/etc/hosts' }), 'medium');
  });

  it('takes an answer without partial messages from its assistant frame alone', () => {
    const events = decode([
      said('m1', [{ type: 'text', text: 'whole' }]),
      said('m1', [{ type: 'text', text: 'more' }]),
    ]);
    assert.deepEqual(
      blocks(events).map(block => block.type === 'text' && [block.text, block.done]),
      [
        ['whole', true],
        ['more', true],
      ],
    );
  });

  it('ends a text once, whichever of its end and its assistant frame comes first [T25]', () => {
    const streamed = [start('m1'), begin(0), delta(0, 'He'), delta(0, 'llo')];
    const whole = said('m1', [{ type: 'text', text: 'Hello' }]);
    const orders = [
      [...streamed, whole, stop(0), stream({ type: 'message_stop' })],
      [...streamed, stop(0), whole, stream({ type: 'message_stop' })],
    ];
    const [first, second] = orders.map(frames => decode(frames));
    assert.deepEqual(first, second);
    assert.deepEqual(
      blocks(first ?? []).map(block => block.type === 'text' && [block.id, block.text, block.done]),
      [
        ['m1.0', 'He', false],
        ['m1.0', 'Hello', false],
        ['m1.0', 'Hello', true],
      ],
    );
  });

  it('does not end a message as settled between its blocks [D1]', () => {
    const decoder = new ClaudeDecoder('/work');
    decode([start('m1'), begin(0), delta(0, 'x'), stop(0)], decoder);
    assert.equal(decoder.isSettled, false);
    decode([stream({ type: 'message_stop' })], decoder);
    assert.equal(decoder.isSettled, true);
  });

  it('goes on in a next block when a text is too long for one, and loses nothing', () => {
    const text = `${'a'.repeat(limits.textChars - 1)}😀${'b'.repeat(limits.textChars)}`;
    const pieces = Array.from({ length: Math.ceil(text.length / 1_000) }, (_, index) =>
      delta(0, text.slice(index * 1_000, (index + 1) * 1_000)),
    );
    const events = decode([start('m1'), begin(0), ...pieces, said('m1', [{ type: 'text', text }]), stop(0)]);
    const done = blocks(events).filter(block => block.type === 'text' && block.done);
    assert.deepEqual(
      done.map(block => block.id),
      ['m1.0', 'm1.0.2', 'm1.0.3'],
    );
    const texts = done.map(block => (block.type === 'text' ? block.text : ''));
    assert.equal(texts.join(''), text);
    assert.ok(texts.every(part => part.length <= limits.textChars && part.isWellFormed()));
  });

  it('never shows half a character while a text grows', () => {
    const [high = '', low = ''] = '😀'.split('');
    const events = decode([start('m1'), begin(0), delta(0, `a${high}`), delta(0, low), stop(0)]);
    assert.deepEqual(
      blocks(events).map(block => block.type === 'text' && block.text),
      ['a', 'a😀', 'a😀'],
    );
  });

  it('keeps a sub-agent out of the main text', () => {
    const parent = { parent_tool_use_id: 'toolu_task' };
    const events = decode([
      start('m1'),
      begin(0),
      delta(0, 'main'),
      start('sub', 'toolu_task'),
      stream({ type: 'content_block_delta', index: 0, delta: { text: 'sub' } }, 'toolu_task'),
      said('sub', [{ type: 'text', text: 'sub' }], parent),
      stop(0),
    ]);
    const texts = blocks(events).filter(block => block.type === 'text');
    assert.deepEqual(
      texts.map(block => [block.id, block.parent_id, block.text]),
      [
        ['m1.0', undefined, 'main'],
        ['u-sub.0', 'toolu_task.agent', 'sub'],
        ['m1.0', undefined, 'main'],
      ],
    );
  });

  it('bounds a result and says that it did', () => {
    const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'x' } };
    const answer = { type: 'tool_result', tool_use_id: 't1', content: 'y'.repeat(limits.bulkChars + 1) };
    const events = decode([
      said('m1', [call]),
      { type: 'user', parent_tool_use_id: null, message: { content: [answer] } },
    ]);
    const [told] = blocks(events).filter(block => block.type === 'tool_result');
    assert.deepEqual([told?.content.length, told?.truncated], [limits.bulkChars, true]);
  });

  it('allows exactly the input that was asked for, once [M62]', () => {
    const decoder = new ClaudeDecoder('/work');
    const input = { command: 'rm -rf x', timeout: 5, nested: { a: [1, null] } };
    const [event] = decode([ask('q1', input)], decoder);
    assert.ok(event?.type === 'proposal');
    assert.deepEqual(event.action.input, input);
    assert.deepEqual(decoder.answer(event.action.id, 'allow'), {
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: 'q1',
        response: { behavior: 'allow', updatedInput: input },
      },
    });
    assert.equal(decoder.answer(event.action.id, 'allow'), undefined);
  });

  it('denies for any option that it did not offer', () => {
    for (const option of ['grant_a', 'constructor', '']) {
      const decoder = new ClaudeDecoder('/work');
      const [event] = decode([ask('q1', { command: 'x' })], decoder);
      assert.ok(event?.type === 'proposal');
      assert.equal(behavior(decoder.answer(event.action.id, option)), 'deny');
    }
  });

  it('withdraws what was cancelled, and refuses what nobody answered when the turn ends', () => {
    const decoder = new ClaudeDecoder('/work');
    decode([ask('q1', { command: 'x' }), ask('q2', { command: 'y' })], decoder);
    assert.deepEqual(decode([{ type: 'control_cancel_request', request_id: 'q1' }], decoder), [
      { type: 'proposal_withdrawn', id: 'q1' },
    ]);
    assert.equal(decoder.isSettled, false);
    const { events, replies } = decoder.receive(JSON.stringify(result()));
    assert.deepEqual(
      events.map(event => event.type),
      ['proposal_withdrawn', 'turn_end'],
    );
    assert.deepEqual(replies.map(behavior), ['deny']);
    assert.equal(decoder.isSettled, true);
  });

  it('answers a request of a kind that it does not know, so that the agent does not wait', () => {
    const { events, replies } = new ClaudeDecoder('/work').receive(
      JSON.stringify({ type: 'control_request', request_id: 'x', request: { subtype: 'elicitation' } }),
    );
    assert.deepEqual(events, []);
    assert.deepEqual(
      replies.map(reply => reply.type === 'control_response' && reply.response.subtype),
      ['error'],
    );
  });

  it('shows arguments in full that a block cannot hold as they are', () => {
    const input = { ['k'.repeat(limits.nameChars + 1)]: 'v' };
    const [event] = decode([ask('q1', input, 'mcp__server__tool')]);
    assert.ok(event?.type === 'proposal');
    assert.deepEqual(event.action.input, { json: JSON.stringify(input) });
    assert.deepEqual([event.action.title, event.action.risk], ['tool (server)', 'high']);
  });

  it('does not end the turn of a prompt when a background task had a turn of its own', () => {
    const events = decode([result({ origin: { kind: 'task-notification' } })]);
    assert.deepEqual(events, []);
    assert.deepEqual(decode([result()]), [{ type: 'turn_end', reason: 'completed' }]);
  });

  it('does not trust "success" when the result is an error', () => {
    const events = decode([
      said('s1', [{ type: 'text', text: 'API Error' }], { error: 'rate_limit' }),
      result({ is_error: true, api_error_status: 429, result: 'API Error' }),
    ]);
    assert.deepEqual(
      events.map(event =>
        event.type === 'block' && event.block.type === 'error' ? event.block.code : event.type,
      ),
      ['rate_limited', 'turn_end'],
    );
  });

  it('is not settled between what is said of a failure and the end of its turn [D1]', () => {
    const decoder = new ClaudeDecoder('/work');
    decode([said('s1', [{ type: 'text', text: 'API Error' }], { error: 'rate_limit' })], decoder);
    assert.equal(decoder.isSettled, false);
    decode([result({ is_error: true, result: 'API Error' })], decoder);
    assert.equal(decoder.isSettled, true);
  });

  it('loses no words of a message that is marked as an error when the turn did not fail', () => {
    const events = decode([
      said('s1', [{ type: 'text', text: 'cut at the limit' }], { error: 'max_output_tokens' }),
      result(),
    ]);
    assert.deepEqual(
      blocks(events).map(block => block.type === 'text' && block.text),
      ['cut at the limit'],
    );
  });

  it('makes ids that the protocol allows of whatever ids the agent uses', () => {
    const call = { type: 'tool_use', id: `a b/ü${'x'.repeat(200)}`, name: 'Read', input: {} };
    const [block] = blocks(decode([said('m', [call])]));
    assert.match(block?.id ?? '', /^[A-Za-z0-9_.:-]{1,128}$/);
  });
});

function behavior(input: ClaudeInput | undefined): string | undefined {
  if (input?.type !== 'control_response' || input.response.subtype !== 'success') return undefined;
  return input.response.response.behavior;
}
