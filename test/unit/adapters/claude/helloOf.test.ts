import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../../src/adapters/agent.ts';
import { ClaudeDecoder } from '../../../../src/adapters/claude/claudeDecoder.ts';

function respond(response: object): readonly AgentEvent[] {
  const line = JSON.stringify({ type: 'control_response', response });
  return new ClaudeDecoder('/work').receive(line).events;
}

describe('what Claude Code says of itself', () => {
  it('are its models and commands, in bounds, without what is of another shape or its own', () => {
    const models = [
      { value: 'default', displayName: 'Default', supportedEffortLevels: ['low', 'max'] },
      { value: 'small', displayName: 'S'.repeat(300) },
      { value: '' },
      'odd',
    ];
    const commands = [
      { name: 'compact', description: 'd'.repeat(300), argumentHint: '[words]' },
      { name: 'clear', description: '', argumentHint: '' },
      { name: '__inner', description: '' },
      { name: 'not a name', description: '' },
    ];
    const events = respond({ request_id: 'initialize', response: { models, commands, pid: 1 } });
    assert.deepEqual(events, [
      {
        type: 'models',
        models: [
          { id: 'default', label: 'Default', efforts: ['low', 'max'], default: true },
          { id: 'small', label: `${'S'.repeat(79)}…` },
        ],
      },
      {
        type: 'commands',
        commands: [
          { name: 'compact', description: `${'d'.repeat(199)}…`, args: '[words]' },
          { name: 'clear', description: '' },
        ],
      },
    ]);
  });

  it('is nothing when its greeting is another', () => {
    for (const response of [undefined, null, 'x', { models: 'many' }])
      assert.deepEqual(respond({ request_id: 'initialize', response }), []);
  });

  it('names a setting that it would not take', () => {
    const [event] = respond({ request_id: 'model-2', subtype: 'error', error: 'no such model' });
    assert.ok(event?.type === 'block' && event.block.type === 'error');
    assert.equal(event.block.message, 'Claude Code did not change the model: no such model');
    assert.deepEqual(respond({ request_id: 'interrupt-1', subtype: 'error', error: 'x' }), []);
  });
});
