import { useLayoutEffect, useRef } from 'preact/hooks';
import type { JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import type { Machine } from '../../state/machine.ts';
import { Icon } from '../parts/icon.tsx';
import { Mark } from '../parts/mark.tsx';
import { ScreenTitle } from '../parts/screenTitle.tsx';
import { listRows, type ListRow, type ListRows } from './listRows.ts';
import { MachineNotice } from './machineNotice.tsx';
import { MachineSection } from './machineSection.tsx';
import { SessionRow } from './sessionRow.tsx';
import { startPlaces } from './startPlaces.ts';
import { WaitingCard } from './waitingCard.tsx';

/** Where the list was left, for the way back. */
let leftAt = 0;

/** Everything on all machines; first what needs its reader. */
export function ListView(): JSX.Element {
  const { app, navigation } = useShell();
  const scroll = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = scroll;
    if (current === null) return undefined;
    current.scrollTop = leftAt;
    return () => {
      leftAt = current.scrollTop;
    };
  }, []);
  const machines = app.machines.value;
  const rows = listRows(machines);
  const count = rows.waiting.length + rows.running.length + rows.ready.length + rows.ended.length;
  const canStart = startPlaces(machines).length > 0;
  const newSession = (
    <button type="button" class="button primary wide" onClick={() => navigation.openSheet({ kind: 'new' })}>
      <Icon name="plus" />
      New session
    </button>
  );
  return (
    <div class="screen">
      <header class="bar">
        <div class="measure brand">
          <Mark />
          <ScreenTitle>Sessions</ScreenTitle>
          <span class={rows.waiting.length > 0 ? 'bar-state asks' : 'bar-state'}>
            {headline(
              rows,
              machines.every(machine => machine.presence.value.presence === 'online'),
            )}
          </span>
        </div>
      </header>
      <main class="scroll" ref={scroll}>
        <div class="measure list">
          {machines.map(machine => (
            <MachineNotice key={machine.record.bridgeId} machine={machine} />
          ))}
          {app.isForgetful && (
            <p class="notice">This browser stores nothing: the pairing lives as long as this page is open.</p>
          )}
          {rows.waiting.length > 0 && (
            <section aria-labelledby="needs-you">
              <h2 id="needs-you">Needs you</h2>
              <ul class="cards">
                {rows.waiting.map(row => (
                  <WaitingCard key={row.session.session_id} row={row} />
                ))}
              </ul>
            </section>
          )}
          <Group title="Running" rows={rows.running} />
          <Group title="Ready" rows={rows.ready} />
          <Group title="Ended" rows={rows.ended} />
          {count === 0 && canStart && (
            <div class="empty">
              <p>Nothing runs here yet. Start an agent; it goes on when you look away, and asks you here.</p>
              {newSession}
            </div>
          )}
          <Machines machines={machines} />
        </div>
      </main>
      {count > 0 && canStart && (
        <footer class="action-bar">
          <div class="measure">{newSession}</div>
        </footer>
      )}
    </div>
  );
}

/** Whether anything needs its reader; silent when that is not known. */
function headline({ waiting, running }: ListRows, isLive: boolean): string {
  if (waiting.length > 0) return waiting.length === 1 ? '1 needs you' : `${String(waiting.length)} need you`;
  if (!isLive) return '';
  return running.length === 0 ? 'All quiet' : `${String(running.length)} running`;
}

function Group({
  title,
  rows,
}: {
  readonly title: string;
  readonly rows: readonly ListRow[];
}): JSX.Element | null {
  if (rows.length === 0) return null;
  const id = `group-${title}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {title} <span class="count">{rows.length}</span>
      </h2>
      <ul class="rows">
        {rows.map(row => (
          <SessionRow key={row.session.session_id} row={row} />
        ))}
      </ul>
    </section>
  );
}

function Machines({ machines }: { readonly machines: readonly Machine[] }): JSX.Element {
  const { navigation } = useShell();
  return (
    <section aria-labelledby="machines">
      <h2 id="machines">{machines.length === 1 ? 'Machine' : 'Machines'}</h2>
      <ul class="rows">
        {machines.map(machine => (
          <MachineSection key={machine.record.bridgeId} machine={machine} />
        ))}
      </ul>
      <button type="button" class="button quiet" onClick={() => navigation.open({ screen: 'add' })}>
        Pair another machine
      </button>
    </section>
  );
}
