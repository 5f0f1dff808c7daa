import assert from 'node:assert/strict';
import { agentId } from '../../../core/protocol/ids.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { startChain, type Chain } from '../../fakes/chain.ts';
import { untilSignal } from '../../fakes/until.ts';

describe('a question of the agent, over the chain', () => {
  let chain: Chain;
  before(async () => {
    chain = await startChain();
  });
  after(() => chain.dispose());

  async function ask(): Promise<PhoneSession> {
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(each => each.state !== undefined),
    );
    const session = chain.machine.startSession(window.instance, agentId.parse('demo'), 'ask me');
    await untilSignal('a question', session.questions, questions => questions[0]);
    await untilSignal('the present', session.isCurrent, current => current || undefined);
    return session;
  }

  async function said(session: PhoneSession): Promise<string | undefined> {
    await untilSignal('the end of the turn', session.conversation, ({ entries }) =>
      [...entries.values()].find(entry => entry.type === 'session_end'),
    );
    const { entries } = session.conversation.value;
    return [...entries.values()].flatMap(entry => (entry.type === 'text' ? [entry.text] : [])).at(-1);
  }

  it('is answered on the phone, and the agent goes on with that answer', async () => {
    const session = await ask();
    const [question] = session.questions.value;
    assert.ok(question);
    await untilSignal('a row that says so', session.conversation, ({ summary }) =>
      summary?.activity === 'awaiting_question' ? summary : undefined,
    );
    await session.answerQuestion(question, { selected: ['coffee'] });
    assert.equal(await said(session), 'You would like this: Coffee.');
    const resolved = session.conversation.value.questionResolutions.get(question.id);
    assert.deepEqual([resolved?.by_name, resolved?.selected], ['Test phone', ['coffee']]);
    assert.equal(session.answers.value.size, 0);
  });

  it('is answered once: what the desk said first counts, and the phone is told', async () => {
    const session = await ask();
    const [question] = session.questions.value;
    const desk = chain.bridge.sessions.find(session.id);
    assert.ok(question && desk);
    const actor = { kind: 'desktop' as const };
    assert.ok(desk.approvals.questions.answer(question.id, { custom: 'water' }, actor).ok);
    await session.answerQuestion(question, { selected: ['tea'] });
    assert.equal(await said(session), 'You would like this: water.');
    assert.equal(session.conversation.value.questionResolutions.get(question.id)?.by, 'desktop');
  });
});
