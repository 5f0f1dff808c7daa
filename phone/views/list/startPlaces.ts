import type { Machine, MachineWindow } from '../../state/machine.ts';

/** A window in which a session can be started. */
export interface StartPlace {
  readonly machine: Machine;
  readonly window: MachineWindow;
  readonly label: string;
}

/** Windows that have told what they offer; the machine is named when there are several. */
export function startPlaces(machines: readonly Machine[]): readonly StartPlace[] {
  const seen = new Map<string, number>();
  return machines.flatMap(machine =>
    machine.windows.value.flatMap(window => {
      if (window.state === undefined || machine.presence.value.presence === 'revoked') return [];
      const { workspace } = window.state;
      const place = machines.length > 1 ? `${workspace} on ${machine.record.machine}` : workspace;
      const count = (seen.get(place) ?? 0) + 1;
      seen.set(place, count);
      // Several windows may show one folder.
      const label = count > 1 ? `${place}, window ${String(count)}` : place;
      return [{ machine, window, label }];
    }),
  );
}
