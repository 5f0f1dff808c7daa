import type { ErrorCode } from '../../../core/protocol/errorCode.ts';
import { errorCodeText } from './errorCodeText.ts';

/** Why an answer did not count, or may not have. */
export function answerFailureText(code: ErrorCode | 'unknown'): string {
  if (code === 'unknown')
    return 'The connection ended before the machine confirmed. Its record will show what became of it.';
  return `${errorCodeText(code)}.`;
}
