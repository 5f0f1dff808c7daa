import { fail, ok, type Result } from '../base/result.ts';
import type { CryptoPort, DhKey } from './cryptoPort.ts';
import { aesGcmCipher } from './noiseCipher.ts';
import { NoiseHandshake, type NoiseRefusal } from './noiseHandshake.ts';
import { IKPSK1 } from './noisePattern.ts';
import { handshakePrologue, type PrologueFields } from './prologue.ts';

/** Exact lengths: neither message carries a payload (rule K8). */
export const MESSAGE_1_BYTES = 96;
export const MESSAGE_2_BYTES = 48;

/** Redraws before a responder gives up: each fails by chance once in 2^32 per live channel. */
const MAX_DRAWS = 16;
const EMPTY = new Uint8Array(0);

/** What a finished handshake leaves. All secret but `ch`, `handshakeHash` and `remoteStatic`; never persisted. */
export interface HandshakeSecrets {
  /** h, 32 bytes. */
  readonly handshakeHash: Uint8Array;
  /** ck before Split, 32 bytes: for the pairing code and the session psk. */
  readonly chainingKey: Uint8Array;
  /** The peer's proven X25519 key, 32 bytes. */
  readonly remoteStatic: Uint8Array;
  /** Key of dir 2, 32 bytes (rule K1). */
  readonly appToBridgeKey: Uint8Array;
  /** Key of dir 1, 32 bytes. */
  readonly bridgeToAppKey: Uint8Array;
  /** h[0..4]. */
  readonly ch: Uint8Array;
}

/** The app's side. */
export interface InitiatorOptions extends PrologueFields {
  /** S_d. */
  readonly deviceKey: DhKey;
  /** S_b as pinned from the QR, 32 bytes. */
  readonly bridgePublicKey: Uint8Array;
  /** The QR secret when pairing, else the session psk; 32 bytes. */
  readonly psk: Uint8Array;
}

/** A sent message 1, waiting for its answer. */
export interface Initiation {
  /** 96 bytes, for `ios_epk`. */
  readonly message1: Uint8Array;
  /**
   * Reads `bridge_epk`. Every refusal is shown as the identity warning and never mended by itself (rule K9). A refused
   * answer leaves the initiation as it was.
   */
  finish(message2: Uint8Array): Promise<Result<HandshakeSecrets, NoiseRefusal>>;
}

/** The bridge's side. */
export interface ResponderOptions extends PrologueFields {
  /** S_b. */
  readonly bridgeKey: DhKey;
  /** As received in `ios_epk`. */
  readonly message1: Uint8Array;
  /** The psk of the device with this S_d, nothing for an unknown one. When pairing: the QR secret, whatever the key. */
  readonly pskFor: (deviceKey: Uint8Array) => Uint8Array | undefined;
  /** Whether a live or half-open channel of this session_id has this 4-byte ch (rule K24). */
  readonly isChannelTaken: (ch: Uint8Array) => boolean;
}

/**
 * An answered message 1. The channel is half-open: it must not displace a live one, sends nothing, and is promoted
 * only when application frame 0 verifies, within 10 s (rule K23).
 */
export interface Response {
  /** 48 bytes, for `bridge_epk`. */
  readonly message2: Uint8Array;
  readonly secrets: HandshakeSecrets;
}

/** Starts a handshake as the app. `refused_key`: the pinned key is of low order, and nothing must be sent (rule K9). */
export async function initiate(
  port: CryptoPort,
  options: InitiatorOptions,
): Promise<Result<Initiation, 'refused_key'>> {
  const handshake = begin(port, options, {
    initiator: true,
    staticKey: options.deviceKey,
    remoteStatic: options.bridgePublicKey,
    pskFor: () => options.psk,
  });
  const message1 = await handshake.write(EMPTY);
  if (!message1.ok) return fail('refused_key');
  return ok({
    message1: message1.value,
    async finish(message2) {
      if (message2.length !== MESSAGE_2_BYTES) return fail('unauthorized');
      const attempt = handshake.clone();
      const read = await attempt.read(message2);
      return read.ok ? ok(secretsOf(attempt)) : read;
    },
  });
}

/**
 * Answers a message 1 as the bridge. Every refusal is the same generic `unauthorized` on the wire and sends nothing.
 * It keeps no state, so an invalid message 1 burns no pairing secret.
 */
export async function respond(
  port: CryptoPort,
  options: ResponderOptions,
): Promise<Result<Response, NoiseRefusal>> {
  if (options.message1.length !== MESSAGE_1_BYTES) return fail('unauthorized');
  const handshake = begin(port, options, {
    initiator: false,
    staticKey: options.bridgeKey,
    pskFor: remote => (remote === undefined ? undefined : options.pskFor(remote)),
  });
  const read = await handshake.read(options.message1);
  if (!read.ok) return read;
  for (let draw = 0; draw < MAX_DRAWS; draw++) {
    const attempt = handshake.clone();
    const message2 = await attempt.write(EMPTY);
    if (!message2.ok) return message2;
    const secrets = secretsOf(attempt);
    if (!options.isChannelTaken(secrets.ch)) return ok({ message2: message2.value, secrets });
  }
  return fail('unauthorized');
}

interface Party {
  readonly initiator: boolean;
  readonly staticKey: DhKey;
  readonly remoteStatic?: Uint8Array;
  readonly pskFor: (remoteStatic: Uint8Array | undefined) => Uint8Array | undefined;
}

function begin(port: CryptoPort, fields: PrologueFields, party: Party): NoiseHandshake {
  return NoiseHandshake.start({
    port: { hash: port, cipher: aesGcmCipher(port) },
    pattern: IKPSK1,
    prologue: handshakePrologue(fields),
    generateEphemeral: () => port.generateDhKey(),
    ...party,
  });
}

function secretsOf(handshake: NoiseHandshake): HandshakeSecrets {
  const { handshakeHash, chainingKey, remoteStatic } = handshake;
  if (remoteStatic === undefined) throw new Error('the handshake proved no static key');
  const { initiatorToResponder, responderToInitiator } = handshake.split();
  return {
    handshakeHash,
    chainingKey,
    remoteStatic,
    appToBridgeKey: initiatorToResponder,
    bridgeToAppKey: responderToInitiator,
    ch: handshakeHash.slice(0, 4),
  };
}
