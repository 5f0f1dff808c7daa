import { useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useShell } from '../app/shell.ts';
import type { SheetRoute } from '../app/route.ts';
import { listRows } from './list/listRows.ts';
import { ExternalSheet } from './list/externalSheet.tsx';
import { ListView } from './list/listView.tsx';
import { MachineSheet } from './list/machineSheet.tsx';
import { NewSessionSheet } from './list/newSessionSheet.tsx';
import { AddMachine } from './pairing/addMachine.tsx';
import { PairView } from './pairing/pairView.tsx';
import { SessionScreen } from './session/sessionScreen.tsx';
import { SessionSheet } from './session/sessionSheet.tsx';
import { TrialLine } from './trialLine.tsx';
import { UpdateLine } from './updateLine.tsx';

/** The screen that the route names, and the sheet over it. */
export function Root(): JSX.Element | null {
  const { app, loaded, navigation } = useShell();
  useSignalEffect(() => {
    const waiting = listRows(app.machines.value).waiting.length;
    document.title = waiting === 0 ? 'Terminull' : `(${String(waiting)}) Terminull`;
  });
  const { sheet } = navigation.route.value;
  // A moment: the stored pairings are being read.
  if (!loaded.value && navigation.route.value.screen !== 'pair') return null;
  return (
    <div class="app">
      <TrialLine />
      <UpdateLine />
      <Screen />
      {sheet !== undefined && <SheetOf sheet={sheet} />}
    </div>
  );
}

function Screen(): JSX.Element {
  const { app, invitation, navigation } = useShell();
  const route = navigation.route.value;
  switch (route.screen) {
    case 'list':
      return app.machines.value.length === 0 ? <AddMachine /> : <ListView />;
    case 'add':
      return <AddMachine />;
    case 'pair':
      return invitation.value === undefined ? (
        <AddMachine />
      ) : (
        <PairView key={invitation.value.pairId} invitation={invitation.value} />
      );
    case 'session':
      return <SessionScreen key={route.session} route={route} />;
  }
}

function SheetOf({ sheet }: { readonly sheet: SheetRoute }): JSX.Element {
  switch (sheet.kind) {
    case 'external':
      return <ExternalSheet bridge={sheet.bridge} instance={sheet.instance} />;
    case 'new':
      return <NewSessionSheet instance={sheet.instance} />;
    case 'machine':
      return <MachineSheet bridge={sheet.bridge} />;
    case 'session':
      return <SessionSheet />;
  }
}
