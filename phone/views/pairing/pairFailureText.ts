import type { PairFailure } from '../../net/pairPhone.ts';

/** What went wrong with a pairing, and the way on. */
export interface PairFailureText {
  readonly title: string;
  readonly advice: string;
  /** Whether the same link can still be good. */
  readonly retry: boolean;
}

export function pairFailureText(reason: PairFailure): PairFailureText {
  switch (reason) {
    case 'refused':
      return {
        title: 'The link is wrong, used or expired.',
        advice: 'A code is good for two minutes and for one phone. Show a new one in the editor.',
        retry: false,
      };
    case 'identity':
      return {
        title: 'The answer did not come from your machine.',
        advice: 'Somebody may be in between; nothing was paired. Try on another network, with a new code.',
        retry: false,
      };
    case 'offline':
      return {
        title: 'The relay cannot be reached.',
        advice: 'Check that this phone is online and can reach the address above.',
        retry: true,
      };
    case 'rate_limited':
      return {
        title: 'Too many tries from this network.',
        advice: 'Wait five minutes, then show a new code in the editor.',
        retry: false,
      };
    case 'denied':
      return {
        title: 'The desk did not confirm this phone.',
        advice: 'The number was cancelled, mistyped, or not typed in time. Nothing was paired.',
        retry: false,
      };
    case 'cancelled':
      return {
        title: 'Pairing was cancelled.',
        advice: 'Nothing was paired. Show a new code in the editor to start again.',
        retry: false,
      };
  }
}
