import type { Clock } from '../../core/base/clock.ts';
import type { Control } from '../../core/protocol/control/control.ts';
import type { Session } from '../session/session.ts';
import type { DeviceChannel } from './deviceChannel.ts';
import { feedStart } from './feedStart.ts';
import { SessionFeed } from './sessionFeed.ts';

/** Tells a phone of a session from now on, beginning where it asked to. */
export function followSession(
  channel: DeviceChannel,
  session: Session,
  clock: Clock,
  reader: Extract<Control, { type: 'open' | 'bind_external' | 'resume' }>,
): void {
  channel.follow(new SessionFeed(session, channel, clock, feedStart(reader, session)));
}
