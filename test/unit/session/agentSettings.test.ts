import assert from 'node:assert/strict';
import type { Block } from '../../../core/protocol/block/block.ts';
import { agentId, blockId } from '../../../core/protocol/ids.ts';
import type { AgentEvent } from '../../../src/adapters/agent.ts';
import { modelsOf } from '../../../src/bridge/tellModels.ts';
import { chosenOf } from '../../../src/session/agentSettings.ts';
import { runSlashCommand } from '../../../src/session/slashCommand.ts';
import { SessionRig } from './sessionRig.ts';

const info: Block = {
  type: 'agent_info',
  ts: 1,
  id: blockId.parse('agent'),
  agent_id: agentId.parse('demo'),
  display_name: 'Demo',
  version: '1',
  cwd: '/work',
  capabilities: {
    thinking: true,
    permissions: true,
    interrupt: true,
    diffs: true,
    models: true,
    effort: true,
  },
};
const models: AgentEvent = {
  type: 'models',
  models: [
    { id: 'default', label: 'Default', efforts: ['low', 'high'], default: true },
    { id: 'small', label: 'Small' },
  ],
};
const commands: AgentEvent = {
  type: 'commands',
  commands: [
    { name: 'compact', description: 'Make it shorter' },
    { name: 'stop', description: 'not ours' },
    { name: 'compact', description: 'again' },
  ],
};
const phone = { kind: 'device' as const };
const desk = { kind: 'desktop' as const };
const ownModes = [
  { id: 'plan', fromAfar: true },
  { id: 'acceptEdits', fromAfar: false },
];

describe('how an agent works', () => {
  let rig: SessionRig;
  beforeEach(() => {
    rig = new SessionRig(info, ownModes);
  });
  afterEach(() => rig.dispose());

  const begin = async (): Promise<void> => {
    rig.session.prompt('go', 'c1', desk);
    await rig.settle();
    await rig.say(models, commands);
  };
  const ofType = <T extends Block['type']>(type: T) =>
    rig.blocks.filter((block): block is Extract<Block, { type: T }> => block.type === type);
  const code = (outcome: { readonly ok: boolean; readonly code?: string }): string =>
    outcome.ok ? 'ok' : String(outcome.code);

  it('is told with its models once, and again when they change', async () => {
    await begin();
    await rig.say(models);
    assert.equal(ofType('model_list').length, 1);
    await rig.say({ type: 'models', models: [] });
    assert.equal(ofType('model_list').length, 2);
  });

  it('lists our commands first, then its own, each name once [T82]', async () => {
    await begin();
    assert.deepEqual(
      rig.session.commands.map(({ name, source }) => `${source} ${name}`),
      ['bridge stop', 'bridge end', 'agent compact'],
    );
    assert.deepEqual(ofType('agent_info').at(-1)?.slash_commands, rig.session.commands);
  });

  it('is told when its model or its own mode becomes another', async () => {
    await begin();
    const before = ofType('agent_info').length;
    await rig.say({ type: 'settings', model: 'big-1', mode: 'plan' }, { type: 'settings', model: 'big-1' });
    assert.equal(ofType('agent_info').length, before + 1);
    const told = ofType('agent_info').at(-1);
    assert.deepEqual([told?.model, told?.mode], ['big-1', 'plan']);
  });

  it('is set at once, and each later process is started with it', async () => {
    await begin();
    assert.equal(code(rig.session.settings.setModel('small')), 'ok');
    assert.equal(code(rig.session.settings.setOwnMode('plan', phone)), 'ok');
    assert.deepEqual(rig.agent.orders.slice(-2), [
      'configure {"model":"small"}',
      'configure {"mode":"plan"}',
    ]);
    await rig.restart();
    assert.deepEqual(chosenOf(rig.session.chosen), { model: 'small', mode: 'plan' });
    assert.ok(rig.session.carried.some(block => block.type === 'settings_changed'));
  });

  it('takes only what the agent offers', async () => {
    await begin();
    const { settings } = rig.session;
    assert.equal(code(settings.setModel('huge')), 'invalid_request');
    assert.equal(code(settings.setEffort('extreme')), 'invalid_request');
    assert.equal(code(settings.setEffort('high')), 'ok');
    settings.setModel('small');
    assert.equal(code(settings.setEffort('high')), 'invalid_request', 'a model without efforts');
    assert.equal(code(settings.setOwnMode('bypassPermissions', desk)), 'invalid_request');
  });

  it('is never made to ask less from afar [M67]', async () => {
    await begin();
    const { settings } = rig.session;
    assert.equal(code(settings.setOwnMode('acceptEdits', phone)), 'not_owner');
    assert.equal(code(settings.setOwnMode('acceptEdits', desk)), 'ok');
    assert.equal(rig.session.approvals.mode, 'ask', 'what it asks is decided as before');
  });

  it('cannot be set where the agent has nothing to set, or the session has ended', () => {
    const plain = new SessionRig();
    assert.equal(code(plain.session.settings.setModel('x')), 'unsupported_operation');
    assert.equal(code(plain.session.settings.setEffort('low')), 'unsupported_operation');
    plain.dispose();
    rig.session.end();
    assert.equal(code(rig.session.settings.setModel('x')), 'stale_session');
  });

  it('tells its models and the choice to who asks', async () => {
    assert.equal(modelsOf(undefined).type, 'error');
    assert.equal(modelsOf(rig.session).type, 'error');
    await begin();
    rig.session.settings.setModel('small');
    const told = modelsOf(rig.session);
    assert.ok(told.type === 'models');
    assert.deepEqual([told.models.map(({ id }) => id), told.current], [['default', 'small'], 'small']);
  });

  it('carries out the commands that are listed, and no other', async () => {
    await begin();
    await rig.say({ type: 'prompt_accepted' });
    const run = (name: string, args?: string) =>
      code(runSlashCommand(rig.session, { name, args }, `m_${name}`, phone));
    assert.equal(run('rm'), 'unsupported_operation');
    assert.equal(run('compact', '  briefly '), 'ok');
    assert.deepEqual(rig.prompts, ['go delivered', '/compact briefly queued']);
    assert.equal(run('stop'), 'ok');
    assert.ok(rig.agent.orders.includes('interrupt'));
    await rig.say({ type: 'turn_end', reason: 'interrupted' });
    assert.equal(run('stop'), 'not_running');
    assert.equal(run('end'), 'ok');
    assert.ok(rig.session.summary.activity === 'ended' || rig.agent.orders.includes('stop'));
  });
});
