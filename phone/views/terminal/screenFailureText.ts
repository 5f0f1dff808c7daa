import type { Refusal } from '../../state/phoneSession.ts';
import { errorCodeText } from '../session/errorCodeText.ts';

const texts: ReadonlyMap<Refusal, string> = new Map([
  ['not_owner', 'Guests do not see the terminal: it shows more than was said'],
  ['not_running', 'The terminal was left'],
  ['busy', 'The machine is busy; trying again'],
  ['unsupported_operation', 'A version of Terminull started this agent that cannot show its terminal here'],
  ['frame_too_large', 'Too much is on the screen to be sent; trying again'],
]);

/** Why the screen of a terminal is not shown, or not as it is now. */
export function screenFailureText(code: Refusal): string {
  return texts.get(code) ?? (code === 'unknown' ? 'The machine did not answer' : errorCodeText(code));
}
