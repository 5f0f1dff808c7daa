import assert from 'node:assert/strict';
import type { AgentEvent } from '../../src/adapters/agent.ts';
import { say, use } from '../fakes/anthropic/script.ts';
import { startClaudeRig, type ClaudeRig } from './claudeRig.ts';

describe(`settings of the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''}`, () => {
  let rig: ClaudeRig;
  beforeEach(async () => {
    rig = await startClaudeRig();
    rig.anthropic.script('go', [[say('hello')]]);
  });
  afterEach(async () => {
    await rig.dispose();
  });

  it('are told at the start: models with their efforts, and commands', async () => {
    const conversation = await rig.start();
    const models = await conversation.until('models', events =>
      events.flatMap(event => (event.type === 'models' ? [event.models] : [])).at(0),
    );
    assert.equal(models.filter(model => model.default === true).length, 1);
    const sonnet = models.find(model => model.id === 'sonnet');
    assert.deepEqual([sonnet?.label, sonnet?.efforts?.includes('low')], ['Sonnet', true]);
    const commands = await conversation.until('commands', events =>
      events.flatMap(event => (event.type === 'commands' ? [event.commands] : [])).at(0),
    );
    assert.ok(commands.some(({ name, description }) => name === 'compact' && description !== ''));
    assert.ok(!commands.some(({ name }) => name.startsWith('__')));
    await conversation.stop();
  });

  it('are those that it was started with', async () => {
    const conversation = await rig.start({ settings: { model: 'sonnet', effort: 'low', mode: 'plan' } });
    await conversation.turn('go');
    const [settings] = told(conversation.events);
    assert.match(settings?.model ?? '', /sonnet/);
    assert.equal(settings?.mode, 'plan');
    const [request] = rig.anthropic.requests;
    assert.match(request?.model ?? '', /sonnet/);
    assert.equal(request?.effort, 'low');
    await conversation.stop();
  });

  it('change while it runs, also back to what it takes by itself', async () => {
    const conversation = await rig.start();
    await conversation.turn('go');
    const first = rig.anthropic.requests.at(-1);
    conversation.agent.configure?.({ model: 'sonnet', effort: 'low' });
    await conversation.turn('go on');
    const changed = rig.anthropic.requests.at(-1);
    assert.match(changed?.model ?? '', /sonnet/);
    assert.equal(changed?.effort, 'low');
    assert.match(told(conversation.events).at(-1)?.model ?? '', /sonnet/);
    conversation.agent.configure?.({ model: 'default' });
    await conversation.turn('go on further');
    assert.equal(rig.anthropic.requests.at(-1)?.model, first?.model);
    assert.deepEqual(conversation.blocks('error'), []);
    await conversation.stop();
  });

  it('include its own modes, and never the one in which nothing is asked', async () => {
    const conversation = await rig.start();
    conversation.agent.configure?.({ mode: 'plan' });
    await conversation.turn('go');
    assert.equal(told(conversation.events).at(-1)?.mode, 'plan');
    conversation.agent.configure?.({ mode: 'bypassPermissions' });
    const refused = await conversation.until('a refusal', () => conversation.blocks('error').at(0));
    assert.match(refused.message, /did not change the mode/);
    await conversation.turn('go on');
    assert.equal(told(conversation.events).at(-1)?.mode, 'plan');
    await conversation.stop();
  });

  it('are told when it leaves its mode by itself', async () => {
    rig.anthropic.script('plan it', [[use('ExitPlanMode', { plan: 'do it' })], [say('begun')]]);
    const conversation = await rig.start({ settings: { mode: 'plan' } });
    conversation.answerAll(() => 'allow');
    await conversation.turn('plan it');
    assert.equal(told(conversation.events).at(-1)?.mode, 'default');
    await conversation.stop();
  });
});

function told(events: readonly AgentEvent[]): readonly { readonly model?: string; readonly mode?: string }[] {
  return events.filter(event => event.type === 'settings');
}
