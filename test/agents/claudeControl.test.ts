import assert from 'node:assert/strict';
import { existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent } from '../../src/adapters/agent.ts';
import { say, use } from '../fakes/anthropic/script.ts';
import { startClaudeRig, type ClaudeRig } from './claudeRig.ts';

describe(`interrupting, resuming and taking up the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''}`, () => {
  let rig: ClaudeRig;
  beforeEach(async () => {
    rig = await startClaudeRig();
  });
  afterEach(async () => {
    await rig.dispose();
  });

  const file = (name: string): string => join(rig.workspace, name);

  it('is interrupted in the middle of an answer, and takes another prompt [M38]', async () => {
    rig.anthropic.script('talk', [[{ type: 'stall', text: 'This would be a very long answer' }]]);
    rig.anthropic.script('next', [[say('still here')]]);
    const conversation = await rig.start({ record: 'interrupted-answer' });
    conversation.send('talk');
    await conversation.until('a text that grows', () => conversation.blocks('text').at(0));
    conversation.agent.interrupt();
    assert.equal(await conversation.turnEnd(), 'interrupted');
    const [text] = conversation.texts();
    assert.ok(text !== undefined && 'This would be a very long answer'.startsWith(text));
    assert.equal(conversation.texts().length, 1, 'what was said is ended once');
    assert.equal(await conversation.turn('next'), 'completed');
    assert.equal(conversation.texts().at(-1), 'still here');
    assert.deepEqual(conversation.blocks('error'), []);
    await conversation.stop();
  });

  it('is interrupted before it has begun, and does not begin later', async () => {
    rig.anthropic.script('talk', [[{ type: 'stall', text: 'This would be a very long answer' }]]);
    rig.anthropic.script('next', [[say('still here')]]);
    const conversation = await rig.start({ record: 'interrupted-at-once' });
    conversation.send('talk');
    conversation.agent.interrupt();
    assert.equal(await conversation.turnEnd(), 'interrupted');
    await conversation.turn('next');
    assert.deepEqual(conversation.texts(), ['still here']);
    await conversation.stop();
  });

  it('withdraws its request when it is interrupted while it waits', async () => {
    rig.anthropic.script('run it', [[use('Bash', { command: 'touch never' })], [say('not reached')]]);
    const conversation = await rig.start({ record: 'interrupted-request' });
    conversation.send('run it');
    const action = await conversation.proposal();
    conversation.agent.interrupt();
    assert.equal(await conversation.turnEnd(), 'interrupted');
    assert.ok(
      conversation.events.some(event => event.type === 'proposal_withdrawn' && event.id === action.id),
    );
    assert.ok(!existsSync(file('never')));
    await conversation.stop();
  });

  it('stops a command that runs when it is interrupted', async () => {
    rig.anthropic.script('run it', [[use('Bash', { command: 'touch begun && sleep 60 && touch ended' })]]);
    const conversation = await rig.start({ record: 'interrupted-command' });
    const begun = new Promise<void>(resolve => {
      const watcher = watch(rig.workspace, (_event, name) => {
        if (name !== 'begun') return;
        watcher.close();
        resolve();
      });
    });
    conversation.answerAll(() => 'allow');
    conversation.send('run it');
    await begun;
    conversation.agent.interrupt();
    assert.equal(await conversation.turnEnd(), 'interrupted');
    assert.deepEqual(
      conversation.blocks('tool_result').map(block => block.outcome),
      ['interrupted'],
    );
    assert.ok(!existsSync(file('ended')));
    await conversation.stop();
  });

  it('resumes a conversation by its id in a new process [T86]', async () => {
    rig.anthropic.script('first', [[say('a first answer')]]);
    rig.anthropic.script('second', [[say('a second answer')]]);
    const before = await rig.start();
    await before.turn('first');
    const id = idOf(before.events);
    await before.stop();
    const after = await rig.start({ resume: id, record: 'resumed' });
    assert.equal(await after.turn('second'), 'completed');
    assert.equal(idOf(after.events), id);
    const [first, second] = rig.anthropic.requests;
    assert.ok(first && second);
    assert.ok(
      second.messageChars.length >= first.messageChars.length + 2,
      'the model sees the earlier prompt and answer',
    );
    assert.deepEqual(after.texts(), ['a second answer'], 'what was said before is not told again');
    await after.stop();
  });

  it('says so when the conversation to resume is gone', async () => {
    const conversation = await rig.start({
      resume: '00000000-0000-4000-8000-000000000000',
      record: 'resume-gone',
    });
    conversation.send('hello?');
    const { expected } = await conversation.exit();
    assert.deepEqual(
      conversation.blocks('error').map(block => block.code),
      ['session_not_found'],
    );
    assert.match(conversation.blocks('error')[0]?.message ?? '', /No conversation found/);
    assert.equal(expected, true, 'that is no crash');
  });

  it('is taken up again while it waits for an answer, which then counts [D1]', async () => {
    rig.anthropic.script('run it', [[use('Bash', { command: 'touch made && echo ran' })], [say('done')]]);
    const before = await rig.start();
    before.send('run it');
    const asked = await before.proposal();
    const after = await rig.adopt(before);
    const again = await after.proposal();
    assert.deepEqual(again, asked);
    after.agent.respondPermission(again.id, 'allow');
    assert.equal(await after.turnEnd(), 'completed');
    assert.ok(existsSync(file('made')));
    await after.stop();
  });

  it('does an action once when its answer is given again by a bridge that cannot know whether it arrived [D1]', async () => {
    const command = 'echo once >> log && cat log';
    rig.anthropic.script('run it', [[use('Bash', { command })], [say('done')]]);
    rig.anthropic.script('next', [[say('still here')]]);
    const before = await rig.start();
    before.send('run it');
    before.agent.respondPermission((await before.proposal()).id, 'allow');
    const after = await rig.adopt(before);
    after.agent.respondPermission((await after.proposal()).id, 'allow');
    assert.equal(await after.turnEnd(), 'completed');
    assert.equal(await after.turn('next'), 'completed');
    assert.equal(readFileSync(file('log'), 'utf8'), 'once\n');
    assert.equal(after.events.filter(event => event.type === 'turn_end').length, 2);
    await after.stop();
  });

  it('is taken up again in the middle of an answer, under the same ids [D1]', async () => {
    rig.anthropic.script('talk', [[{ type: 'stall', text: 'This would be a very long answer' }]]);
    rig.anthropic.script('next', [[say('still here')]]);
    const before = await rig.start();
    before.send('talk');
    const text = await before.until('a text', () => before.blocks('text').at(0));
    const after = await rig.adopt(before);
    const again = await after.until('the text', () => after.blocks('text').at(0));
    assert.equal(again.id, text.id);
    after.agent.interrupt();
    assert.equal(await after.turnEnd(), 'interrupted');
    await after.turn('next');
    assert.equal(after.texts().at(-1), 'still here');
    await after.stop();
  });
});

function idOf(events: readonly AgentEvent[]): string {
  const found = events.find(event => event.type === 'native_id');
  assert.ok(found);
  return found.id;
}
