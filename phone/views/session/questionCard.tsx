import { useId, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { QuestionBlock } from '../../../core/protocol/block/approvalBlocks.ts';
import type { QuestionAnswer } from '../../state/phoneSession.ts';
import { VisibleText } from '../parts/visibleTextView.tsx';
import { answerFailureText } from './answerFailureText.ts';
import { OwnWords } from './ownWords.tsx';
import { QuestionOptions } from './questionOptions.tsx';
import { ReadToEnd } from './readToEnd.tsx';
import type { SessionProperties } from './sessionProperties.ts';
import { useArmed } from './useArmed.ts';

interface Properties extends Pick<SessionProperties, 'session'> {
  readonly question: QuestionBlock;
  readonly count: number;
}

/** One question of the agent, its answers, and room for another one. */
export function QuestionCard({ question, count, session }: Properties): JSX.Element {
  const reason = useId();
  const armed = useArmed();
  const [chosen, setChosen] = useState<readonly string[]>([]);
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
    <section class="approval measure" role="group" aria-label="Question" tabIndex={-1}>
      <ReadToEnd label="What is asked">
        <header class="approval-head">
          <p class="approval-tool">
            <VisibleText text={question.header} />
            {count > 1 && <span class="approval-count">1 of {count}</span>}
          </p>
          <h2>
            <VisibleText text={question.text} />
          </h2>
        </header>
        <QuestionOptions
          question={question}
          chosen={chosen}
          isOff={isOff}
          reason={reason}
          onChoose={choose}
        />
      </ReadToEnd>
      <div class="approval-answer">
        <p id={reason} class={state?.phase === 'failed' ? 'problem' : 'quiet-text'} role="status">
          {state?.phase === 'failed' && answerFailureText(state.code)}
          {state?.phase === 'sending' && 'Sending…'}
          {!isCurrent && state === undefined && 'Connection is not live: answers are off until it is back.'}
        </p>
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
        {question.allow_custom && <OwnWords isOff={isOff} onAnswer={custom => send({ custom })} />}
      </div>
    </section>
  );
}
