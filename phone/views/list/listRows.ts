import type { InstanceId } from '../../../core/protocol/ids.ts';
import type { ReceivedSummary } from '../../../core/protocol/windowState.ts';
import type { Machine, MachineWindow } from '../../state/machine.ts';

/** A session in the list, and where it runs. */
export interface ListRow {
  readonly machine: Machine;
  readonly instance: InstanceId;
  readonly workspace: string;
  readonly session: ReceivedSummary;
  /** What is shown is known to be the present. */
  readonly live: boolean;
}

/** All sessions of all machines, by what they need from their reader. */
export interface ListRows {
  readonly waiting: readonly ListRow[];
  readonly running: readonly ListRow[];
  readonly ready: readonly ListRow[];
  readonly ended: readonly ListRow[];
}

/** Newest first, except that who waits longest for an answer comes first. */
export function listRows(machines: readonly Machine[]): ListRows {
  const rows = machines
    .flatMap(machine => machine.windows.value.flatMap(window => rowsOf(machine, window)))
    .toSorted((a, b) => b.session.updated_at - a.session.updated_at);
  const of = (...activities: readonly ReceivedSummary['activity'][]) =>
    rows.filter(row => row.session.waiting === 0 && activities.includes(row.session.activity));
  return {
    waiting: rows.filter(row => row.session.waiting > 0).toReversed(),
    // What nobody here can name goes on, for all that is known.
    running: of('running', 'unknown'),
    ready: of('idle'),
    ended: of('ended'),
  };
}

/** Whether a window tells the present. */
export function isLive({ channel }: Pick<MachineWindow, 'channel'>): boolean {
  return channel.phase === 'open' && !channel.stale;
}

function rowsOf(machine: Machine, window: MachineWindow): readonly ListRow[] {
  const { state, instance } = window;
  // Where this phone was removed, nothing is left to do for it.
  if (state === undefined || machine.presence.value.presence === 'revoked') return [];
  const live = isLive(window);
  return state.sessions.map(session => ({ machine, instance, workspace: state.workspace, session, live }));
}
