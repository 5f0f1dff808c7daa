import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ComponentType, JSX } from 'preact';
import type { SessionProperties } from './sessionProperties.ts';

type View = ComponentType<Pick<SessionProperties, 'machine' | 'session'>>;

const view = signal<View | 'missing' | undefined>(undefined);

/** Fetches what draws a terminal, which most sessions never need. */
function loadTerminal(): void {
  if (typeof view.value === 'function') return;
  view.value = undefined;
  import('../terminal/terminalView.tsx').then(
    module => {
      view.value = module.TerminalView;
    },
    () => {
      view.value = 'missing';
    },
  );
}

/** The session's terminal, once what draws it is there. */
export function TerminalDoor({
  machine,
  session,
}: Pick<SessionProperties, 'machine' | 'session'>): JSX.Element {
  useEffect(loadTerminal, []);
  const { value: Terminal } = view;
  if (typeof Terminal === 'function') return <Terminal machine={machine} session={session} />;
  return (
    <main class="terminal-frame">
      <div class="terminal-notice alone">
        <p role="status">
          {Terminal === undefined ? 'Fetching the screen…' : 'This part of the app could not be fetched.'}
        </p>
        {Terminal === 'missing' && (
          <button type="button" class="button small" onClick={loadTerminal}>
            Try again
          </button>
        )}
      </div>
    </main>
  );
}
