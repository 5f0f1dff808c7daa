import assert from 'node:assert/strict';
import { questionBlock } from '../../../../core/protocol/block/approvalBlocks.ts';
import { limits } from '../../../../core/protocol/limits.ts';
import type { AgentEvent, AskedQuestion } from '../../../../src/adapters/agent.ts';
import { ClaudeDecoder } from '../../../../src/adapters/claude/claudeDecoder.ts';
import type { ClaudeInput } from '../../../../src/adapters/claude/claudeInput.ts';
import { answersInput, questionsOf } from '../../../../src/adapters/claude/userQuestions.ts';

const colour = {
  question: 'Which colour?',
  header: 'Colour',
  options: [{ label: 'Red', description: 'warm' }, { label: 'Blue' }],
  multiSelect: false,
};
const sizes = {
  question: 'Which sizes?',
  header: 'Size',
  options: [{ label: 'S' }, { label: 'M' }, { label: 'L' }],
  multiSelect: true,
};

const frame = (questions: unknown, id = 'r1') => ({
  type: 'control_request',
  request_id: id,
  request: {
    subtype: 'can_use_tool',
    tool_name: 'AskUserQuestion',
    input: { questions },
    tool_use_id: `toolu-${id}`,
  },
});

function asked(decoder: ClaudeDecoder, questions: unknown, id?: string): readonly AskedQuestion[] {
  const { events } = decoder.receive(JSON.stringify(frame(questions, id)));
  return events.flatMap(event => (event.type === 'question' ? [event.question] : []));
}

function answersOf(told: ClaudeInput | undefined): unknown {
  if (told?.type !== 'control_response' || told.response.subtype !== 'success') return undefined;
  const { response } = told.response;
  return response.behavior === 'allow' ? response.updatedInput.answers : response.behavior;
}

describe('questions of Claude Code', () => {
  it('are a chain of cards in bounds, with the answers as options and room for own words', () => {
    const questions = questionsOf('r1', { questions: [colour, sizes] }) ?? [];
    assert.deepEqual(questions[0], {
      id: 'r1.q1',
      header: 'Colour',
      text: 'Which colour?',
      options: [
        { id: 'option_1', label: 'Red', description: 'warm' },
        { id: 'option_2', label: 'Blue' },
      ],
      multiple: false,
      allow_custom: true,
      position: 1,
      chain_length: 2,
    });
    assert.deepEqual(
      questions.map(question => [question.id, question.position, question.chain_length, question.multiple]),
      [
        ['r1.q1', 1, 2, false],
        ['r1.q2', 2, 2, true],
      ],
    );
  });

  it('are shortened to what a card can hold, and answered in full', () => {
    const label = `Red ${'e'.repeat(limits.titleChars)}`;
    const input = { questions: [{ question: 'Which?', header: 'h'.repeat(300), options: [{ label }] }] };
    const [question] = questionsOf('r1', input) ?? [];
    assert.ok(question !== undefined);
    const block = { type: 'question', ts: 1, turn_id: 'turn_1', ...question };
    assert.ok(questionBlock.safeParse(block).success);
    assert.deepEqual(answersInput(input, [{ selected: ['option_1'] }]).answers, { 'Which?': label });
  });

  it('go back by their words: one option, several in their order, own words', () => {
    const input = { questions: [colour, sizes, { question: 'Why?' }], note: 'kept' };
    const answers = [
      { selected: ['option_2'] },
      { selected: ['option_3', 'option_1'] },
      { custom: 'Because' },
    ];
    assert.deepEqual(answersInput(input, answers), {
      ...input,
      answers: { 'Which colour?': 'Blue', 'Which sizes?': 'S, L', 'Why?': 'Because' },
    });
  });

  it('are none where they cannot be put to people, or two of them have the same words', () => {
    const many = Array.from({ length: limits.questionOptions + 1 }, (_, index) => ({ label: String(index) }));
    for (const questions of [
      'none',
      [],
      [colour, colour],
      [{ ...colour, question: '' }],
      [{ ...colour, question: 'x'.repeat(limits.textChars + 1) }],
      [{ ...colour, options: many }],
    ])
      assert.equal(questionsOf('r1', { questions }), undefined);
  });

  it('become a request that can only be declined then, so that the model asks in plain words', () => {
    const decoder = new ClaudeDecoder('/work');
    const { events } = decoder.receive(JSON.stringify(frame([colour, colour])));
    const [event] = events;
    assert.ok(event?.type === 'proposal');
    assert.deepEqual(
      event.action.options.map(option => option.kind),
      ['deny'],
    );
  });

  it('are answered at once when the last one is, in whichever order', () => {
    const decoder = new ClaudeDecoder('/work');
    const [first, second] = asked(decoder, [colour, sizes]);
    assert.ok(first !== undefined && second !== undefined);
    assert.equal(decoder.answerQuestion(second.id, { selected: ['option_2'] }), undefined);
    assert.equal(decoder.isSettled, false);
    const told = decoder.answerQuestion(first.id, { custom: 'Green' });
    assert.deepEqual(answersOf(told), { 'Which colour?': 'Green', 'Which sizes?': 'M' });
    assert.equal(decoder.answerQuestion(first.id, { custom: 'Grey' }), undefined, 'once');
  });

  it('are declined as a whole when nobody answers one, and the others are withdrawn', () => {
    const decoder = new ClaudeDecoder('/work');
    const [first, second] = asked(decoder, [colour, sizes]);
    assert.ok(first !== undefined && second !== undefined);
    const told = decoder.answerQuestion(first.id, undefined);
    assert.equal(answersOf(told), 'deny');
    assert.equal(decoder.answerQuestion(second.id, { custom: 'late' }), undefined);
    const events = decoder.receive(JSON.stringify(told)).events;
    assert.deepEqual(
      events.map(event => event.type === 'question_withdrawn' && event.id),
      [first.id, second.id],
    );
    assert.equal(decoder.isSettled, true);
  });

  it('are withdrawn when the agent takes its call back, has its result, or the turn ends', () => {
    const withdrawn = (line: object): readonly AgentEvent[] => {
      const decoder = new ClaudeDecoder('/work');
      asked(decoder, [colour]);
      return decoder
        .receive(JSON.stringify(line))
        .events.filter(event => event.type === 'question_withdrawn');
    };
    const content = [{ type: 'tool_result', tool_use_id: 'toolu-r1', content: 'x', is_error: true }];
    for (const line of [
      { type: 'control_cancel_request', request_id: 'r1' },
      { type: 'user', message: { content } },
      { type: 'result', subtype: 'success', is_error: false },
    ])
      assert.deepEqual(withdrawn(line), [{ type: 'question_withdrawn', id: 'r1.q1' }]);
  });

  it('that nobody answered are refused when the turn ends', () => {
    const decoder = new ClaudeDecoder('/work');
    asked(decoder, [colour]);
    const { replies } = decoder.receive(JSON.stringify({ type: 'result', subtype: 'success' }));
    assert.deepEqual(replies.map(answersOf), ['deny']);
  });
});
