import { useId } from 'preact/hooks';
import type { JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import { Icon } from '../parts/icon.tsx';
import { VisibleText } from '../parts/visibleTextView.tsx';
import type { ListRow } from './listRows.ts';
import { RowMeta } from './sessionRow.tsx';

/** A session that waits for an answer: says what it asks, and opens where it is answered. */
export function WaitingCard({ row }: { readonly row: ListRow }): JSX.Element {
  const { navigation } = useShell();
  const id = useId();
  const { session, instance, machine } = row;
  const more = session.waiting - 1;
  return (
    <li>
      <button
        type="button"
        class="card waiting"
        aria-labelledby={`${id}t`}
        aria-describedby={`${id}q ${id}m`}
        onClick={() =>
          navigation.open({
            screen: 'session',
            bridge: machine.record.bridgeId,
            instance,
            session: session.session_id,
          })
        }
      >
        <span class="card-label">
          {session.agent_name} {session.activity === 'awaiting_question' ? 'asks' : 'asks to'}
        </span>
        <span class="card-question" id={`${id}q`}>
          <VisibleText text={session.asks ?? 'go on'} />
        </span>
        {more > 0 && <span class="card-more">and {more} more</span>}
        <span class="card-foot">
          <span class="row-text">
            <span class="card-title" id={`${id}t`}>
              {session.title}
            </span>
            <RowMeta row={row} id={`${id}m`} />
          </span>
          <span class="card-go" aria-hidden="true">
            {row.live ? 'Answer' : 'Open'}
            <Icon name="forward" />
          </span>
        </span>
      </button>
    </li>
  );
}
