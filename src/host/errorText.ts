import { l10n } from 'vscode';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';

/** What a refusal means for the person at the desk, and what to do. */
export function errorText(code: ErrorCode): string {
  switch (code) {
    case 'owner_unavailable':
      return l10n.t('Open a folder first: an agent needs one to work in.');
    case 'not_found':
      return l10n.t('This agent is no longer installed.');
    case 'busy':
    case 'receipt_capacity':
      return l10n.t('Too much is waiting already. End a session, then try again.');
    case 'frame_too_large':
      return l10n.t('This text is too long. Shorten it and try again.');
    case 'rate_limited':
      return l10n.t('Too many tries. Wait a few minutes, then try again.');
    case 'unauthorized':
    case 'revoked':
    case 'bad_mac':
      return l10n.t('The relay refused this machine. Check its address in the settings.');
    case 'incompatible_version':
      return l10n.t('The relay speaks another version. Update the relay or this extension.');
    case 'invalid_request':
    case 'unsupported_operation':
    case 'stale_session':
    case 'stale_turn':
    case 'stale_question':
    case 'stale_approval':
    case 'digest_mismatch':
    case 'not_running':
    case 'not_owner':
    case 'parked':
    case 'request_conflict':
    case 'slow_consumer':
    case 'resync':
    case 'replaced':
    case 'internal':
      return l10n.t('That did not work ({0}). The log says more.', code);
  }
}
