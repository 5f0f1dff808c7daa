import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import type { QuestionBlock } from '../../../core/protocol/block/approvalBlocks.ts';
import { Icon } from '../parts/icon.tsx';
import { VisibleText } from '../parts/visibleTextView.tsx';
import { questionResolutionText } from './questionResolutionText.ts';
import type { SessionProperties } from './sessionProperties.ts';

interface Properties extends Pick<SessionProperties, 'session'> {
  readonly question: QuestionBlock;
}

/** The place of a question in the transcript: what was asked, and what the answer was. It is answered below. */
export function QuestionView({ question, session }: Properties): JSX.Element {
  const resolution = useComputed(() => session.conversation.value.questionResolutions.get(question.id)).value;
  const answered = resolution?.answered === true;
  return (
    <p class={resolution === undefined ? 'answer waiting' : answered ? 'answer allowed' : 'answer denied'}>
      <Icon name={resolution === undefined ? 'warning' : answered ? 'check' : 'cross'} />
      <span>
        <VisibleText text={question.text} />
        <br />
        {resolution === undefined ? (
          'Waits for an answer'
        ) : (
          <VisibleText text={questionResolutionText(resolution, question.options)} />
        )}
      </span>
    </p>
  );
}
