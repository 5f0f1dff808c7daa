import type { FragmentRefusal } from '../../../core/crypto/pairingFragment.ts';

/** Why a pasted text is no pairing link, and what would be one. */
export function linkRefusalText(code: FragmentRefusal): string {
  switch (code) {
    case 'incompatible_version':
      return 'The link is of another version of Terminull. Update the extension, reload this page, and show a new code.';
    case 'invalid_relay':
      return 'The link names no usable relay. Check the relay address in the editor’s settings.';
    case 'too_long':
    case 'not_base64url':
    case 'not_json':
    case 'invalid_fields':
      return 'That is not a whole pairing link. Copy it again with “Copy Link” in the editor; it ends in a long row of letters after #.';
  }
}
