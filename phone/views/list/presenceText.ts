import type { Presence } from '../../state/presence.ts';

/** A state of a machine in words, and whether it is news that somebody should read. */
export interface PresenceText {
  readonly text: string;
  readonly advice: string | undefined;
}

export function presenceText(presence: Presence): PresenceText {
  switch (presence) {
    case 'online':
      return { text: 'Connected', advice: undefined };
    case 'connecting':
      return { text: 'Connecting…', advice: undefined };
    case 'asleep':
      return {
        text: 'No window open',
        advice:
          'The machine sleeps, or no editor window with Terminull is open on it. It appears here by itself once one is.',
      };
    case 'relay_down':
      return {
        text: 'Relay not reachable',
        advice: 'This phone keeps trying, and shows what it last heard.',
      };
    case 'revoked':
      return {
        text: 'This phone was removed at the desk',
        advice: 'It can no longer see or steer anything there. To use it again, pair it again.',
      };
    case 'replaced':
      return {
        text: 'Open in another tab',
        advice: 'One tab at a time follows a machine, so that an answer is given once.',
      };
    case 'unauthorized':
      return {
        text: 'The relay does not accept this phone',
        advice:
          'Its pass may have run out. Try again; if that does not help, forget the machine and pair again.',
      };
    case 'incompatible_version':
      return {
        text: 'This page and the relay speak different versions',
        advice: 'Reload to get the page that belongs to the relay.',
      };
  }
}
