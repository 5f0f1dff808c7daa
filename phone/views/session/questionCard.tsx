import { useId, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { QuestionBlock } from '../../../core/protocol/block/approvalBlocks.ts';
import type { QuestionAnswer } from '../../state/phoneSession.ts';
import { VisibleText } from '../parts/visibleTextView.tsx';
import { answerFailureText } from './answerFailureText.ts';
import { ReadToEnd } from './readToEnd.tsx';
import type { SessionProperties } from './sessionProperties.ts';
import { useArmed } from './useArmed.ts';

/** UTF-16 units of an answer in own words. */
const customChars = 4_096;

interface Properties extends Pick<SessionProperties, 'session'> {
  readonly question: QuestionBlock;
  readonly count: number;
}

/** One question of the agent, its answers, and room for another one. */
export function QuestionCard({ question, count, session }: Properties): JSX.Element {
  return (
    <section class="approval measure" role="group" aria-label="Question" tabIndex={-1}>
      <ReadToEnd>
        <header class="approval-head">
          <p class="approval-tool">
            <VisibleText text={question.header} />
            {count > 1 && <span class="approval-count">1 of {count}</span>}
          </p>
          <h2>
            <VisibleText text={question.text} />
          </h2>
        </header>
        {question.options.map(({ id, label, description }) =>
          description === undefined ? null : (
            <p key={id} class="quiet-text">
              <VisibleText text={`${label}: ${description}`} />
            </p>
          ),
        )}
      </ReadToEnd>
      <Answers question={question} session={session} />
    </section>
  );
}

function Answers({ question, session }: Omit<Properties, 'count'>): JSX.Element {
  const reason = useId();
  const armed = useArmed();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [words, setWords] = useState('');
  const state = session.answers.value.get(question.id);
  const isCurrent = session.isCurrent.value;
  const isOff = !armed || !isCurrent || state?.phase === 'sending';
  const send = (answer: QuestionAnswer): void => {
    void session.answerQuestion(question, answer);
  };
  const choose = (id: string): void => {
    if (!question.multiple) send({ selected: [id] });
    else setChosen(chosen.includes(id) ? chosen.filter(other => other !== id) : [...chosen, id]);
  };
  return (
    <div class="approval-answer">
      <p id={reason} class={state?.phase === 'failed' ? 'problem' : 'quiet-text'} role="status">
        {state?.phase === 'failed' && answerFailureText(state.code)}
        {state?.phase === 'sending' && 'Sending…'}
        {!isCurrent && state === undefined && 'Connection is not live: answers are off until it is back.'}
      </p>
      {question.options.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          class={chosen.includes(id) ? 'button wide primary' : 'button wide'}
          {...(question.multiple ? { 'aria-pressed': chosen.includes(id) } : {})}
          aria-describedby={reason}
          disabled={isOff}
          onClick={() => choose(id)}
        >
          <VisibleText text={label} />
        </button>
      ))}
      {question.multiple && (
        <button
          type="button"
          class="button primary wide"
          disabled={isOff || chosen.length === 0}
          onClick={() => send({ selected: [...chosen] })}
        >
          Answer with these
        </button>
      )}
      {question.allow_custom && (
        <form
          onSubmit={event => {
            event.preventDefault();
            if (words.trim() !== '' && !isOff) send({ custom: words.trim() });
          }}
        >
          <label>
            <span class="quiet-text">In your own words</span>
            <input
              type="text"
              maxLength={customChars}
              value={words}
              onInput={event => setWords(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="button wide" disabled={isOff || words.trim() === ''}>
            Answer
          </button>
        </form>
      )}
    </div>
  );
}
