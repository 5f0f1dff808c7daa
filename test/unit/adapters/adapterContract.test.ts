import assert from 'node:assert/strict';
import { agentId } from '../../../core/protocol/ids.ts';
import { AdapterRegistry } from '../../../src/adapters/adapterRegistry.ts';
import { AdapterContractError, defineAdapter } from '../../../src/adapters/defineAdapter.ts';
import { createDemoAdapter } from '../../../src/adapters/demo/demoAdapter.ts';
import { DemoDecoder } from '../../../src/adapters/demo/demoDecoder.ts';
import type { AgentAdapter } from '../../../src/adapters/agentAdapter.ts';

const demo = createDemoAdapter({ argv: ['demo'], env: {} }, '/nowhere');

/** What a module in plain JavaScript may hand over, whatever the types say. */
function loaded(fields: object): AgentAdapter {
  const adapter = { ...demo };
  for (const [name, value] of Object.entries(fields)) Reflect.set(adapter, name, value);
  return adapter;
}

describe('the adapter contract [T66] [T67] [T71]', () => {
  const missing = [
    'agentId',
    'displayName',
    'capabilities',
    'providesModels',
    'providesUsage',
    'terminal',
    'detect',
    'start',
  ] as const;
  for (const name of missing) {
    it(`refuses, at load, an adapter that does not declare ${name}`, () => {
      assert.throws(
        () => defineAdapter(loaded({ [name]: undefined })),
        (error: unknown) => error instanceof AdapterContractError && error.fields.includes(name),
      );
    });
  }

  it('names every field that is wrong, not just the first', () => {
    const bad = loaded({ agentId: 'Bad Id', capabilities: { thinking: 'yes' }, start: 'start' });
    assert.throws(
      () => defineAdapter(bad),
      (error: unknown) => error instanceof AdapterContractError && error.fields.length >= 5,
    );
  });

  it('refuses an adapter that says it can do what it does not, or the other way round', () => {
    for (const [field, capability] of [
      ['providesModels', 'models'],
      ['providesUsage', 'usage'],
    ] as const) {
      const told = { ...demo.capabilities, [capability]: true };
      for (const fields of [{ [field]: true }, { capabilities: told }])
        assert.throws(
          () => defineAdapter(loaded(fields)),
          (error: unknown) => error instanceof AdapterContractError && error.fields.includes(field),
        );
      assert.ok(defineAdapter(loaded({ [field]: true, capabilities: told })));
    }
  });

  it('lets no two adapters claim one id [T94]', () => {
    assert.throws(
      () => new AdapterRegistry([demo, createDemoAdapter({ argv: ['other'], env: {} }, '/nowhere')]),
      /demo/,
    );
  });

  it('goes on when one agent fails to be detected [T92] [T95]', async () => {
    const broken = loaded({
      agentId: agentId.parse('broken'),
      detect: () => Promise.reject(new Error('no')),
    });
    const registry = new AdapterRegistry([broken, demo]);
    await registry.detect(new AbortController().signal);
    assert.deepEqual(
      registry.installed.map(agent => agent.adapter.agentId),
      ['demo'],
    );
    assert.equal(registry.find(agentId.parse('broken')), undefined);
  });
});

describe('the demo agent’s decoder', () => {
  it('ignores what is no frame of the agent’s, and bounds what is', () => {
    const decoder = new DemoDecoder();
    const noise = [
      '',
      'warning: something',
      '{',
      '[]',
      'null',
      '{"type":"mystery"}',
      '{"type":"delta"}',
      '{"type":"tool_end","id":"x","outcome":"ok","content":""}',
    ];
    for (const line of noise) assert.deepEqual(decoder.receive(line), [], line);
    const [event] = decoder.receive(
      JSON.stringify({ type: 'delta', id: 'a', role: 'text', text: 'x'.repeat(100_000) }),
    );
    assert.ok(event?.type === 'block' && event.block.type === 'text');
    assert.equal(event.block.text.length, 49_152);
  });

  it('hands over the full text so far, and ends each text once [T26] [T28]', () => {
    const decoder = new DemoDecoder();
    const lines = [
      { type: 'delta', id: 'a', role: 'text', text: 'one ' },
      { type: 'delta', id: 'a', role: 'text', text: 'two' },
      { type: 'delta_end', id: 'a' },
      { type: 'delta_end', id: 'a' },
    ];
    const texts = lines
      .flatMap(line => decoder.receive(JSON.stringify(line)))
      .map(
        event =>
          event.type === 'block' && event.block.type === 'text' && [event.block.text, event.block.done],
      );
    assert.deepEqual(texts, [
      ['one ', false],
      ['one two', false],
      ['one two', true],
    ]);
  });
});
