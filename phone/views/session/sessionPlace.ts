import type { InstanceId } from '../../../core/protocol/ids.ts';
import type { ReceivedSummary } from '../../../core/protocol/windowState.ts';
import type { Route } from '../../app/route.ts';
import type { Machine } from '../../state/machine.ts';

export type SessionRoute = Extract<Route, { screen: 'session' }>;

/** Where the session of a route is to be found now. */
export interface SessionPlace {
  readonly machine: Machine;
  readonly instance: InstanceId;
  /** What the list says of it. */
  readonly listed: ReceivedSummary | undefined;
  readonly workspace: string | undefined;
}

/** A window that was reloaded in between tells the session under its new instance. */
export function sessionPlace(machines: readonly Machine[], route: SessionRoute): SessionPlace | undefined {
  const machine = machines.find(({ record }) => record.bridgeId === route.bridge);
  if (machine === undefined) return undefined;
  for (const { instance, state } of machine.windows.value) {
    const listed = state?.sessions.find(({ session_id }) => session_id === route.session);
    if (listed !== undefined) return { machine, instance, listed, workspace: state?.workspace };
  }
  return { machine, instance: route.instance, listed: undefined, workspace: undefined };
}
