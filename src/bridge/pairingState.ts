import type { ApiFailure } from '../relayClient/relayApi.ts';

/** Why a pairing ended without a phone. */
export type PairingFailure = 'expired' | 'wrong_code' | 'phone_left' | 'too_many_devices' | ApiFailure;

/** What the pairing panel shows. */
export type PairingState =
  | { readonly phase: 'idle' }
  | { readonly phase: 'starting' }
  /** The QR code is on the screen. `refused` counts attempts with a link that was wrong, used or expired. */
  | { readonly phase: 'waiting'; readonly link: string; readonly expiresAt: number; readonly refused: number }
  /** A phone proved that it scanned the code; the desk types the code that the phone shows. */
  | { readonly phase: 'code'; readonly phoneName: string; readonly refused: number }
  | { readonly phase: 'registering'; readonly phoneName: string }
  | { readonly phase: 'paired'; readonly phoneName: string }
  | { readonly phase: 'failed'; readonly reason: PairingFailure };
