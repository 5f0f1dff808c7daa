import type { ErrorCode } from '../../../core/protocol/errorCode.ts';
import { errorCodeText } from './errorCodeText.ts';

/** Why a session cannot be followed, and what that means. */
export interface RefusalText {
  readonly title: string;
  readonly advice: string;
  readonly warning: boolean;
}

export function refusalText(code: ErrorCode): RefusalText {
  if (code === 'unauthorized')
    return {
      title: 'The machine and this phone do not recognise each other.',
      advice:
        'Either this phone was removed at the desk, or somebody else answers in its place. Nothing was sent, and this does not mend itself: look at the desk, and pair again there.',
      warning: true,
    };
  if (code === 'revoked')
    return {
      title: 'This phone was removed at the desk.',
      advice: 'It can no longer see or steer anything there.',
      warning: true,
    };
  if (code === 'not_found')
    return {
      title: 'The window that ran this session was closed or reloaded.',
      advice: 'What is shown here is what it last said.',
      warning: false,
    };
  return {
    title: `${errorCodeText(code)}.`,
    advice: 'What is shown here is what it last said.',
    warning: false,
  };
}
