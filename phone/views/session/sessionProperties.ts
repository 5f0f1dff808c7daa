import type { InstanceId } from '../../../core/protocol/ids.ts';
import type { ReceivedSummary } from '../../../core/protocol/windowState.ts';
import type { Machine } from '../../state/machine.ts';
import type { PhoneSession } from '../../state/phoneSession.ts';

/** What the parts of a session's screen share. */
export interface SessionProperties {
  readonly machine: Machine;
  readonly instance: InstanceId;
  readonly session: PhoneSession;
  /** What the list says of the session, for as long as its own channel has said nothing. */
  readonly listed: ReceivedSummary | undefined;
  readonly workspace: string | undefined;
}
