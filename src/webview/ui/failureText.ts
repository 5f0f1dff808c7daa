import type { PanelFailure } from '../messages.ts';

/** What happened, and what to do about it. */
export function failureText(reason: PanelFailure): { readonly title: string; readonly advice: string } {
  switch (reason) {
    case 'expired':
      return {
        title: 'The code has expired.',
        advice: 'A code is good for two minutes. Show a new one and scan it.',
      };
    case 'wrong_code':
      return {
        title: 'That is not the number on the phone.',
        advice:
          'Nothing was paired. One try is all there is: if you mistyped, start again. If the phone is not yours, do not.',
      };
    case 'phone_left':
      return {
        title: 'The phone went away.',
        advice: 'Keep its page open while you pair, and scan a new code.',
      };
    case 'too_many_devices':
      return {
        title: 'This machine has 32 phones already.',
        advice: 'Revoke one in the Phones view, then pair again.',
      };
    case 'rate_limited':
      return { title: 'Too many tries.', advice: 'Wait five minutes, then show a new code.' };
    case 'relay_offline':
      return {
        title: 'The relay cannot be reached.',
        advice: 'Check its address in the settings and that it runs.',
      };
    case 'relay_refused':
      return { title: 'The relay refused.', advice: 'The log says why. Try again with a new code.' };
  }
}
