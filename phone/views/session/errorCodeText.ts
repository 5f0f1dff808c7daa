import type { ErrorCode } from '../../../core/protocol/errorCode.ts';

/** Why the machine refused something, in words. */
export function errorCodeText(code: ErrorCode): string {
  switch (code) {
    case 'busy':
      return 'Too many prompts wait already';
    case 'stale_session':
      return 'The session has ended';
    case 'not_found':
      return 'The window that ran this session was closed or reloaded';
    case 'unauthorized':
      return 'The machine does not accept this phone';
    case 'revoked':
      return 'This phone was removed at the desk';
    case 'not_owner':
      return 'Only an owner of the machine may do that';
    case 'not_running':
    case 'stale_turn':
      return 'Nothing runs any more';
    case 'stale_approval':
    case 'stale_question':
      return 'Already answered or withdrawn';
    case 'digest_mismatch':
      return 'What is shown is not what would run; nothing was allowed';
    case 'rate_limited':
      return 'Too much at once; wait a moment';
    case 'frame_too_large':
      return 'Too long to be sent';
    case 'owner_unavailable':
      return 'The machine is not reachable';
    case 'parked':
      return 'Another program holds this session';
    case 'request_conflict':
      return 'Something else was sent under the same id';
    case 'incompatible_version':
    case 'unsupported_operation':
      return 'The machine runs a version that cannot do that';
    case 'replaced':
      return 'Another tab took over';
    case 'invalid_request':
    case 'receipt_capacity':
    case 'slow_consumer':
    case 'resync':
    case 'bad_mac':
    case 'internal':
      return `The machine refused (${code})`;
  }
}
