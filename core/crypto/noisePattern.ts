/** A step of a handshake message. Source: Noise 7.1 and 9. */
export type NoiseToken = 'e' | 's' | 'ee' | 'es' | 'se' | 'ss' | 'psk';

/** A handshake pattern: which statics are known before, and the tokens of each message, the initiator's first. */
export interface NoisePattern {
  /** As it stands in the protocol name. */
  readonly name: string;
  /** Whether the initiator knows the responder's static key before message 1. */
  readonly responderKnown: boolean;
  readonly messages: readonly (readonly NoiseToken[])[];
}

/** The profile's pattern: identities and QR possession proved in one round trip, the psk mixed into message 1. */
export const IKPSK1: NoisePattern = {
  name: 'IKpsk1',
  responderKnown: true,
  messages: [
    ['e', 'es', 's', 'ss', 'psk'],
    ['e', 'ee', 'se'],
  ],
};
