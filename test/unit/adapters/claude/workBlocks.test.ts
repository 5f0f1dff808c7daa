import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../../src/adapters/agent.ts';
import { ClaudeDecoder } from '../../../../src/adapters/claude/claudeDecoder.ts';

function decode(frames: readonly object[], decoder = new ClaudeDecoder('/work')): readonly AgentEvent[] {
  return frames.flatMap(frame => decoder.receive(JSON.stringify(frame)).events);
}

/** What each event is of, in short. */
function shown(events: readonly AgentEvent[]): readonly string[] {
  return events.map(event => {
    if (event.type === 'plan_step') return `step ${event.id} ${event.status ?? '-'} ${event.text ?? '-'}`;
    if (event.type !== 'block') return event.type;
    const { block } = event;
    const parent = block.parent_id === undefined ? '' : `${block.parent_id} › `;
    switch (block.type) {
      case 'text':
      case 'thinking':
        return `${parent}${block.type} ${block.id} ${block.text} ${String(block.done)}`;
      case 'subagent':
        return `${parent}${block.id} ${block.status} ${block.name} ${block.task} ${String(block.depth)}`;
      case 'plan':
        return `${parent}plan ${block.id} ${block.items.map(item => `${item.text}=${item.status}`).join(' ')}`;
      case 'progress':
        return `progress ${block.id} ${String(block.percent ?? '…')} ${block.label}`;
      case 'tool_call':
      case 'tool_result':
      case 'diff':
      case 'error':
        return `${parent}${block.type} ${block.id}`;
    }
  });
}

const of = (parent: string | null) => ({ parent_tool_use_id: parent });
const call = (id: string, name: string, input: object, parent: string | null = null) => ({
  type: 'assistant',
  ...of(parent),
  message: { id: `m-${id}`, content: [{ type: 'tool_use', id, name, input }] },
});
const done = (id: string, detail: unknown, parent: string | null = null, isError = false) => ({
  type: 'user',
  ...of(parent),
  message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'x', is_error: isError }] },
  tool_use_result: detail,
});

describe('what Claude Code does beside its words', () => {
  it('is told of sub-agents with all that is theirs in it, down to the second of them', () => {
    const task = { description: 'Look', prompt: 'p', subagent_type: 'Explore' };
    const events = decode([
      call('t1', 'Task', task),
      {
        type: 'assistant',
        ...of('t1'),
        uuid: 'u1',
        message: {
          id: 'm1',
          content: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'text', text: 'looking' },
          ],
        },
      },
      call('t2', 'Agent', { description: 'Deeper' }, 't1'),
      call('t3', 'Read', { file_path: '/a' }, 't2'),
      done('t3', undefined, 't2'),
      done('t2', undefined, 't1', true),
      done('t1', undefined),
    ]);
    assert.deepEqual(shown(events), [
      'tool_call t1',
      't1.agent running Explore Look 1',
      't1.agent › thinking u1.0 hm true',
      't1.agent › text u1.1 looking true',
      't1.agent › tool_call t2',
      't1.agent › t2.agent running general-purpose Deeper 2',
      't2.agent › tool_call t3',
      't2.agent › tool_call t3',
      't2.agent › tool_result t3.result',
      't1.agent › tool_call t2',
      't1.agent › tool_result t2.result',
      't1.agent › t2.agent error general-purpose Deeper 2',
      'tool_call t1',
      'tool_result t1.result',
      't1.agent done Explore Look 1',
    ]);
  });

  it('is told of a plan that is written whole, once it is taken, and of a sub-agent’s for itself', () => {
    const todos = [
      { content: 'first', status: 'in_progress', activeForm: 'x' },
      { content: 'second', status: 'pending', activeForm: 'y' },
    ];
    const plans = (parent: string | null, isError = false) =>
      shown(decode([call('t1', 'TodoWrite', { todos }, parent), done('t1', {}, parent, isError)])).filter(
        line => line.includes('plan '),
      );
    assert.deepEqual(plans(null), ['plan plan first=in_progress second=pending']);
    assert.deepEqual(plans('p'), ['p.agent › plan p.agent.plan first=in_progress second=pending']);
    assert.deepEqual(plans(null, true), []);
  });

  it('is told of a plan that is changed step by step, and holds nothing of it between', () => {
    const decoder = new ClaudeDecoder('/work');
    const steps = (frames: readonly object[]) =>
      shown(decode(frames, decoder)).filter(line => !line.includes('tool_'));
    assert.deepEqual(
      steps([
        call('t1', 'TaskCreate', { subject: 'first', description: 'd' }),
        done('t1', { task: { id: '1', subject: 'first' } }),
      ]),
      ['step 1 pending first'],
    );
    assert.ok(decoder.isSettled);
    assert.deepEqual(
      steps([
        call('t2', 'TaskUpdate', { taskId: '1', status: 'in_progress' }),
        done('t2', { success: true, taskId: '1' }),
        call('t3', 'TaskUpdate', { taskId: '1', subject: 'the first' }),
        done('t3', { success: true, taskId: '1' }),
        call('t4', 'TaskUpdate', { taskId: '1', status: 'deleted' }),
        done('t4', { success: true, taskId: '1' }),
        call('t5', 'TaskUpdate', { taskId: '1', owner: 'me' }),
        done('t5', { success: true, taskId: '1' }),
        call('t6', 'TaskUpdate', { taskId: '9', status: 'completed' }),
        done('t6', 'Error: no such task', null, true),
      ]),
      ['step 1 in_progress -', 'step 1 - the first', 'step 1 deleted -'],
    );
    const tasks = [{ id: '1', subject: 'first', status: 'completed', blockedBy: [] }];
    assert.deepEqual(steps([call('t7', 'TaskList', {}), done('t7', { tasks })]), [
      'plan plan first=completed',
    ]);
  });

  it('is told of a conversation that is made shorter, and how that went, in one line', () => {
    const status = (fields: object) => ({ type: 'system', subtype: 'status', uuid: 's1', ...fields });
    const boundary = (compact_metadata: object) => ({
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 'b1',
      compact_metadata,
    });
    const decoder = new ClaudeDecoder('/work');
    const began = shown(decode([status({ status: 'compacting' })], decoder));
    assert.deepEqual(began, ['progress s1.compaction … Making the conversation shorter…']);
    assert.equal(decoder.isSettled, false);
    const ended = [
      status({ status: null, compact_result: 'success' }),
      boundary({ pre_tokens: 900, post_tokens: 80 }),
    ];
    assert.deepEqual(shown(decode(ended, decoder)), [
      'progress s1.compaction 100 The conversation was made shorter, from 900 to 80 tokens: the model goes on with a summary of it.',
    ]);
    assert.equal(decoder.isSettled, true);
    assert.deepEqual(shown(decode([boundary({ trigger: 'auto' })])), [
      'progress b1.compaction 100 The conversation was made shorter: the model goes on with a summary of it.',
    ]);
    const failed = status({ status: null, compact_result: 'failed', compact_error: 'Too few messages.' });
    assert.deepEqual(shown(decode([status({ status: 'compacting' }), failed])).slice(1), [
      'progress s1.compaction 100 The conversation could not be made shorter: Too few messages.',
    ]);
  });

  it('says that a conversation was not made shorter when the turn ends without it', () => {
    const begin = { type: 'system', subtype: 'status', uuid: 's1', status: 'compacting' };
    const events = shown(decode([begin, { type: 'result', subtype: 'success' }])).slice(1);
    assert.deepEqual(events, [
      'progress s1.compaction 100 The conversation was not made shorter.',
      'turn_end',
    ]);
  });
});
