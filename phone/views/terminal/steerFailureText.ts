import type { Refusal } from '../../state/phoneSession.ts';
import { errorCodeText } from '../session/errorCodeText.ts';

const nobodyKnows = 'Nobody can say whether it was typed: look at the screen';
const texts: ReadonlyMap<Refusal, string> = new Map([
  ['unknown', nobodyKnows],
  ['internal', nobodyKnows],
  ['slow_consumer', 'The program does not read what is typed. It may find your text later, without an Enter'],
  ['not_running', 'The terminal was left; nothing was typed'],
  ['unsupported_operation', 'A version of Terminull started this agent that cannot be typed to from here'],
]);

/** What became of what was typed, when that is not what was wanted. */
export function steerFailureText(code: Refusal): string {
  return texts.get(code) ?? (code === 'unknown' ? nobodyKnows : `${errorCodeText(code)}; nothing was typed`);
}
