import assert from 'node:assert/strict';
import { say, use } from '../fakes/anthropic/script.ts';
import { startClaudeRig, type ClaudeRig } from './claudeRig.ts';

const colour = {
  question: 'Which colour?',
  header: 'Colour',
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cool' },
  ],
  multiSelect: false,
};
const sizes = {
  question: 'Which sizes?',
  header: 'Size',
  options: [
    { label: 'S', description: 'small' },
    { label: 'M', description: 'middle' },
    { label: 'L', description: 'large' },
  ],
  multiSelect: true,
};

describe(`questions of the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''}`, () => {
  let rig: ClaudeRig;
  beforeEach(async () => {
    rig = await startClaudeRig();
  });
  afterEach(async () => {
    await rig.dispose();
  });

  it('come as a card with its answers, and the one that was chosen arrives', async () => {
    rig.anthropic.script('ask me', [[use('AskUserQuestion', { questions: [colour] })], [say('Fine.')]]);
    const conversation = await rig.start({ record: 'question' });
    conversation.send('ask me');
    const [question] = await conversation.questions(1);
    assert.deepEqual([question?.header, question?.text], ['Colour', 'Which colour?']);
    assert.deepEqual(
      question?.options.map(option => [option.label, option.description]),
      [
        ['Red', 'warm'],
        ['Blue', 'cool'],
      ],
    );
    conversation.answer(question, { selected: ['option_2'] });
    assert.equal(await conversation.turnEnd(), 'completed');
    const [result] = conversation.blocks('tool_result');
    assert.match(result?.content ?? '', /"Which colour\?"="Blue"/);
    assert.deepEqual([result?.outcome, conversation.texts()], ['ok', ['Fine.']]);
    await conversation.stop();
  });

  it('come several at once, and are answered by several options and in own words', async () => {
    const questions = [colour, sizes];
    rig.anthropic.script('ask me', [[use('AskUserQuestion', { questions })], [say('Fine.')]]);
    const conversation = await rig.start({ record: 'questions' });
    conversation.send('ask me');
    const [first, second] = await conversation.questions(2);
    conversation.answer(second, { selected: ['option_3', 'option_1'] });
    conversation.answer(first, { custom: 'a "greenish" one' });
    assert.equal(await conversation.turnEnd(), 'completed');
    const [result] = conversation.blocks('tool_result');
    assert.match(result?.content ?? '', /"Which colour\?"="a "greenish" one", "Which sizes\?"="S, L"/);
    await conversation.stop();
  });

  it('that nobody answers do not keep the turn waiting', async () => {
    const questions = [colour, sizes];
    rig.anthropic.script('ask me', [[use('AskUserQuestion', { questions })], [say('Then not.')]]);
    const conversation = await rig.start({ record: 'question-unanswered' });
    conversation.send('ask me');
    const [first] = await conversation.questions(2);
    conversation.answer(first, undefined);
    assert.equal(await conversation.turnEnd(), 'completed');
    assert.deepEqual(conversation.texts(), ['Then not.']);
    assert.equal(conversation.events.filter(event => event.type === 'question_withdrawn').length, 2);
    assert.equal(conversation.blocks('tool_result')[0]?.outcome, 'denied');
    await conversation.stop();
  });

  it('are withdrawn by an interrupt', async () => {
    rig.anthropic.script('ask me', [[use('AskUserQuestion', { questions: [colour] })], [say('Fine.')]]);
    const conversation = await rig.start();
    conversation.send('ask me');
    await conversation.questions(1);
    conversation.agent.interrupt();
    assert.equal(await conversation.turnEnd(), 'interrupted');
    assert.equal(conversation.events.filter(event => event.type === 'question_withdrawn').length, 1);
    await conversation.stop();
  });

  it('are the same after a restart of the editor, and answered once [D1]', async () => {
    rig.anthropic.script('ask me', [
      [use('AskUserQuestion', { questions: [colour, sizes] })],
      [say('Fine.')],
    ]);
    const before = await rig.start();
    before.send('ask me');
    const asked = await before.questions(2);
    before.answer(asked[0], { selected: ['option_1'] });
    const after = await rig.adopt(before);
    const again = await after.questions(2);
    assert.deepEqual(again, asked);
    after.answer(again[0], { selected: ['option_1'] });
    after.answer(again[1], { selected: ['option_2'] });
    assert.equal(await after.turnEnd(), 'completed');
    assert.match(after.blocks('tool_result')[0]?.content ?? '', /="Red", "Which sizes\?"="M"/);
    await after.stop();
  });
});
