import assert from 'node:assert/strict';
import { join } from 'node:path';
import { say, use } from '../fakes/anthropic/script.ts';
import { startClaudeRig, type ClaudeRig } from './claudeRig.ts';

describe(`failures of the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''}`, () => {
  let rig: ClaudeRig;
  beforeEach(async () => {
    rig = await startClaudeRig();
  });
  afterEach(async () => {
    await rig.dispose();
  });

  const file = (name: string): string => join(rig.workspace, name);

  const failures = [
    {
      name: 'a refused key',
      status: 401,
      error: 'authentication_error',
      message: 'invalid x-api-key',
      code: 'bad_credentials',
    },
    {
      name: 'a usage limit',
      status: 429,
      error: 'rate_limit_error',
      message: 'too many requests',
      code: 'rate_limited',
    },
    {
      name: 'an overloaded model',
      status: 529,
      error: 'overloaded_error',
      message: 'Overloaded',
      code: 'overloaded',
    },
    {
      name: 'a conversation that is too long',
      status: 400,
      error: 'invalid_request_error',
      message: 'prompt is too long: 215000 tokens > 200000 maximum',
      code: 'context_overflow',
    },
    {
      name: 'any other refusal',
      status: 400,
      error: 'invalid_request_error',
      message: 'Your credit balance is too low to access the Anthropic API.',
      code: 'api_error',
    },
  ] as const;
  for (const { name, code, ...refusal } of failures) {
    it(`tells ${name} apart as ${code}, and stays usable`, async () => {
      rig.anthropic.script('try', [refusal]);
      rig.anthropic.script('again', [[say('recovered')]]);
      const conversation = await rig.start({ record: `error-${code.replaceAll('_', '-')}` });
      assert.equal(await conversation.turn('try'), 'error');
      // Tries that Claude Code makes by itself are told apart from the failure.
      const [block, ...more] = conversation.blocks('error').filter(each => each.recoverable !== true);
      assert.deepEqual([block?.code, more], [code, []]);
      assert.match(block?.message ?? '', /^(?!.*undefined).{40,}$/);
      assert.deepEqual(conversation.texts(), [], 'a failure is no answer of the model');
      assert.equal(await conversation.turn('again'), 'completed');
      assert.deepEqual(conversation.texts(), ['recovered']);
      await conversation.stop();
    });
  }

  it('tells a connection that was cut in the middle of an answer as stream_cut, and keeps what was said', async () => {
    rig.anthropic.script('talk', [[{ type: 'cut', text: 'half of an answer' }]]);
    const conversation = await rig.start({ record: 'error-stream-cut' });
    assert.equal(await conversation.turn('talk'), 'error');
    assert.deepEqual(
      conversation.blocks('error').flatMap(block => (block.recoverable === true ? [] : [block.code])),
      ['stream_cut'],
    );
    assert.ok(conversation.texts().every(text => 'half of an answer'.startsWith(text)));
    await conversation.stop();
  });

  it('says that nobody is logged in', async () => {
    const conversation = await rig.start({ env: { ANTHROPIC_API_KEY: '' }, record: 'error-not-logged-in' });
    assert.equal(await conversation.turn('hello'), 'error');
    assert.deepEqual(
      conversation.blocks('error').map(block => block.code),
      ['not_logged_in'],
    );
    assert.match(conversation.blocks('error')[0]?.message ?? '', /\/login/);
    await conversation.stop();
  });

  it('tells a crash in the middle of an answer, after ending the text', async () => {
    rig.anthropic.script('talk', [[{ type: 'stall', text: 'This would be a very long answer' }]]);
    const conversation = await rig.start();
    conversation.send('talk');
    await conversation.until('a text that grows', () => conversation.blocks('text').at(0));
    process.kill(conversation.agent.pid, 'SIGKILL');
    const exit = await conversation.exit();
    assert.equal(exit.expected, false);
    assert.match(exit.detail, /SIGKILL/);
    assert.equal(conversation.texts().length, 1);
    assert.ok(!conversation.events.some(event => event.type === 'turn_end'));
  });

  it('does not start when the program has gone meanwhile, and says that it is missing [C41]', async () => {
    const gone = { ...rig.agent, command: { ...rig.agent.command, argv: [file('no-such-program')] } };
    const started = await rig.adapter.start(gone, {
      cwd: rig.workspace,
      resume: undefined,
      settings: {},
      isAdopted: false,
      openProcess: () => assert.fail('nothing may be started'),
    });
    assert.deepEqual(started, { ok: false, code: 'agent_missing' });
  });

  it('reaches for nothing but the service it was told', async () => {
    rig.anthropic.script('run it', [[use('Bash', { command: 'true' })], [say('done')]]);
    const conversation = await rig.start();
    conversation.answerAll(() => 'allow');
    await conversation.turn('run it');
    await conversation.stop();
    assert.deepEqual(rig.proxy.attempts, []);
    const probe = new URL(rig.proxy.url);
    await fetch(probe).catch(() => undefined);
    assert.equal(rig.proxy.attempts.length, 1, 'the proxy would have seen it');
  });
});
