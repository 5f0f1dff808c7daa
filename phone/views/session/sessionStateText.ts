import { unreachable } from '../../../core/base/unreachable.ts';
import type { ReceivedActivity, ReceivedOwner } from '../../../core/protocol/windowState.ts';
import type { ChannelState } from '../../net/channelState.ts';

/** The state of a session in words; `live` is false when they say that nothing is known. */
export interface SessionStateText {
  readonly text: string;
  readonly live: boolean;
}

/**
 * @param complete everything up to the present has been told
 * @param activity undefined before the machine has said it
 * @param owner who drives the conversation
 */
export function sessionStateText(
  channel: ChannelState,
  complete: boolean,
  activity: ReceivedActivity | undefined,
  owner: ReceivedOwner,
): SessionStateText {
  switch (channel.phase) {
    case 'offline':
      return { text: 'Machine not reachable', live: false };
    case 'opening':
      return { text: 'Connecting…', live: false };
    case 'refused':
      return { text: 'Not available', live: false };
    case 'open':
      if (channel.stale) return { text: 'Not live: nothing was heard for a while', live: false };
      if (!complete || activity === undefined) return { text: 'Catching up…', live: false };
      return { text: activityText(activity, owner), live: true };
  }
  return unreachable(channel);
}

function activityText(activity: ReceivedActivity, owner: ReceivedOwner): string {
  switch (activity) {
    case 'idle':
      return owner === 'terminal'
        ? 'In the terminal'
        : owner === 'elsewhere'
          ? 'In another terminal'
          : 'Ready';
    case 'running':
      return owner === 'terminal'
        ? 'Running in the terminal'
        : owner === 'elsewhere'
          ? 'Running in another terminal'
          : 'Running';
    case 'awaiting_approval':
    case 'awaiting_question':
      return 'Waits for you';
    case 'ended':
      return 'Ended';
    // Said by a newer machine, in a word that this app does not have.
    case 'unknown':
      return 'State unknown';
  }
}
