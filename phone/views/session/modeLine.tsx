import type { JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import { Icon } from '../parts/icon.tsx';
import { isWider, modeText } from './modeText.ts';
import type { SessionProperties } from './sessionProperties.ts';

/** Stands for as long as the agent may do more without asking than at first, with the way to take that back. */
export function ModeLine({ session }: Pick<SessionProperties, 'session'>): JSX.Element | null {
  const { navigation } = useShell();
  const { mode, summary } = session.conversation.value;
  if (!isWider(mode) || summary?.activity === 'ended') return null;
  return (
    <div class="mode-line" role="note" aria-label="Permissions">
      <div class="measure mode-line-row">
        <Icon name="warning" />
        <span>{modeText(mode)}</span>
        <button
          type="button"
          class="link-button"
          aria-haspopup="dialog"
          aria-label="Change permissions"
          onClick={() => navigation.openSheet({ kind: 'session' })}
        >
          Change
        </button>
      </div>
    </div>
  );
}
