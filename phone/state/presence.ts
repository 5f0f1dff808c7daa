import { unreachable } from '../../core/base/unreachable.ts';
import type { ConnectionState } from '../../core/channel/connectionState.ts';

/** How a machine can be reached, in the terms in which a person is told. */
export type Presence =
  | 'connecting'
  | 'online'
  /** The relay is there, the machine is not: asleep, or without an editor window. */
  | 'asleep'
  | 'relay_down'
  | 'revoked'
  | 'replaced'
  | 'unauthorized'
  | 'incompatible_version';

/** @param windows how many windows of the machine the relay reaches */
export function presenceOf(connection: ConnectionState, windows: number): Presence {
  switch (connection.phase) {
    case 'online':
      return windows > 0 ? 'online' : 'asleep';
    case 'connecting':
    case 'waiting':
      // The first retry comes at once; only then is it news.
      return connection.attempt === 0 ? 'connecting' : 'relay_down';
    case 'stopped':
      return connection.reason === 'stopped' ? 'connecting' : connection.reason;
  }
  return unreachable(connection);
}
