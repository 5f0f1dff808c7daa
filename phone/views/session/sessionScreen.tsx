import { useMemo } from 'preact/hooks';
import type { JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import { BackButton } from '../parts/backButton.tsx';
import { ScreenTitle } from '../parts/screenTitle.tsx';
import { sessionPlace, type SessionRoute } from './sessionPlace.ts';
import { SessionView } from './sessionView.tsx';

/** Finds the session of a route and shows it. */
export function SessionScreen({ route }: { readonly route: SessionRoute }): JSX.Element {
  const { app } = useShell();
  const place = sessionPlace(app.machines.value, route);
  const machine = place?.machine;
  const instance = place?.instance;
  const session = useMemo(
    () => (instance === undefined ? undefined : machine?.session(route.session, instance)),
    [machine, route.session, instance],
  );
  if (place === undefined || session === undefined) return <Unknown />;
  return <SessionView key={instance} {...place} session={session} view={route.view} />;
}

function Unknown(): JSX.Element {
  const { navigation } = useShell();
  return (
    <div class="screen">
      <header class="bar">
        <div class="measure brand">
          <BackButton />
          <ScreenTitle>Session</ScreenTitle>
        </div>
      </header>
      <main class="scroll">
        <div class="measure">
          <div class="empty">
            <p>This phone does not know the machine of this session any more.</p>
            <button
              type="button"
              class="button primary wide"
              onClick={() => navigation.replace({ screen: 'list' })}
            >
              Show sessions
            </button>
          </div>
        </div>
      </main>
    </div>
  );
}
