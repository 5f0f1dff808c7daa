import type { JSX } from 'preact';
import type { QuestionBlock } from '../../../core/protocol/block/approvalBlocks.ts';
import { Icon } from '../parts/icon.tsx';
import { VisibleText } from '../parts/visibleTextView.tsx';

interface Properties {
  readonly question: Pick<QuestionBlock, 'options' | 'multiple'>;
  /** Ids, where several can be chosen. */
  readonly chosen: readonly string[];
  readonly isOff: boolean;
  /** Id of what says why they are off. */
  readonly reason: string;
  readonly onChoose: (id: string) => void;
}

/** The answers that an agent offers, each with what it says of it. */
export function QuestionOptions({ question, chosen, isOff, reason, onChoose }: Properties): JSX.Element {
  return (
    <div class="options">
      {question.options.map(({ id, label, description }) => (
        <button
          key={id}
          type="button"
          class={chosen.includes(id) ? 'button wide option chosen' : 'button wide option'}
          {...(question.multiple ? { 'aria-pressed': chosen.includes(id) } : {})}
          aria-describedby={reason}
          disabled={isOff}
          onClick={() => onChoose(id)}
        >
          <span class="option-text">
            <VisibleText text={label} />
            {description !== undefined && (
              <span class="option-more">
                <VisibleText text={description} />
              </span>
            )}
          </span>
          {chosen.includes(id) && <Icon name="check" />}
        </button>
      ))}
    </div>
  );
}
