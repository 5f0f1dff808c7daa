import { concatBytes } from '@noble/hashes/utils.js';
import { fail, ok, type Result } from '../base/result.ts';
import { isAllZero } from './byteLayout.ts';
import type { DhKey } from './cryptoPort.ts';
import type { NoisePattern, NoiseToken } from './noisePattern.ts';
import { SymmetricState, type SplitKeys, type SymmetricPort } from './symmetricState.ts';

const DH_BYTES = 32;
const TAG_BYTES = 16;

/** Why a message was refused. `refused_key`: an X25519 output was all zero; both look alike on the wire (rule K9). */
export type NoiseRefusal = 'unauthorized' | 'refused_key';

/** One party's view of a handshake. */
export interface NoiseOptions {
  readonly port: SymmetricPort;
  readonly pattern: NoisePattern;
  readonly initiator: boolean;
  readonly prologue: Uint8Array;
  readonly staticKey: DhKey;
  readonly generateEphemeral: () => Promise<DhKey>;
  /** The peer's static key, when the pattern says it is known before. */
  readonly remoteStatic?: Uint8Array;
  /**
   * The psk for the peer, asked when the `psk` token is reached; by then a responder of IKpsk1 knows the static key.
   * Nothing means that the peer is unknown.
   */
  readonly pskFor?: (remoteStatic: Uint8Array | undefined) => Uint8Array | undefined;
}

/**
 * A Noise handshake over an asynchronous key agreement, generic over pattern and cipher. Source: Noise 5.3, 9.
 * A refused message leaves the state unusable; keep a `clone` to try again.
 */
export class NoiseHandshake {
  readonly #options: NoiseOptions;
  readonly #symmetric: SymmetricState;
  #ephemeral: DhKey | undefined;
  #remoteEphemeral: Uint8Array | undefined;
  #remoteStatic: Uint8Array | undefined;
  #step = 0;

  private constructor(options: NoiseOptions, symmetric: SymmetricState) {
    this.#options = options;
    this.#symmetric = symmetric;
    this.#remoteStatic = options.remoteStatic;
  }

  static start(options: NoiseOptions): NoiseHandshake {
    const { port, pattern, initiator, staticKey, remoteStatic } = options;
    const symmetric = SymmetricState.initialize(
      port,
      `Noise_${pattern.name}_25519_${port.cipher.name}_SHA256`,
    );
    symmetric.mixHash(options.prologue);
    if (pattern.responderKnown) {
      const known = initiator ? remoteStatic : staticKey.publicKey;
      if (known === undefined) throw new TypeError('the pattern needs the responder static key');
      symmetric.mixHash(known);
    }
    return new NoiseHandshake(options, symmetric);
  }

  /** 32 bytes; the initiator's or responder's key, once it is known. */
  get remoteStatic(): Uint8Array | undefined {
    return this.#remoteStatic;
  }

  get chainingKey(): Uint8Array {
    return this.#symmetric.chainingKey;
  }

  get handshakeHash(): Uint8Array {
    return this.#symmetric.handshakeHash;
  }

  get finished(): boolean {
    return this.#step >= this.#options.pattern.messages.length;
  }

  clone(): NoiseHandshake {
    const copy = new NoiseHandshake(this.#options, this.#symmetric.clone());
    copy.#ephemeral = this.#ephemeral;
    copy.#remoteEphemeral = this.#remoteEphemeral;
    copy.#remoteStatic = this.#remoteStatic;
    copy.#step = this.#step;
    return copy;
  }

  async write(payload: Uint8Array): Promise<Result<Uint8Array, NoiseRefusal>> {
    const parts: Uint8Array[] = [];
    for (const token of this.#nextTokens()) {
      switch (token) {
        case 'e':
          this.#ephemeral = await this.#options.generateEphemeral();
          parts.push(this.#ephemeral.publicKey);
          await this.#mixEphemeral(this.#ephemeral.publicKey);
          break;
        case 's':
          parts.push(await this.#symmetric.encryptAndHash(this.#options.staticKey.publicKey));
          break;
        case 'ee':
        case 'es':
        case 'se':
        case 'ss':
        case 'psk': {
          const refusal = await this.#mixToken(token);
          if (refusal !== undefined) return fail(refusal);
        }
      }
    }
    parts.push(await this.#symmetric.encryptAndHash(payload));
    return ok(concatBytes(...parts));
  }

  /** @returns the payload of the peer's message */
  async read(message: Uint8Array): Promise<Result<Uint8Array, NoiseRefusal>> {
    let at = 0;
    for (const token of this.#nextTokens()) {
      switch (token) {
        case 'e': {
          const key = message.slice(at, (at += DH_BYTES));
          if (key.length !== DH_BYTES) return fail('unauthorized');
          this.#remoteEphemeral = key;
          await this.#mixEphemeral(key);
          break;
        }
        case 's': {
          const sealed = message.subarray(at, (at += DH_BYTES + (this.#symmetric.hasKey ? TAG_BYTES : 0)));
          const key = await this.#symmetric.decryptAndHash(sealed);
          if (key?.length !== DH_BYTES) return fail('unauthorized');
          this.#remoteStatic = key.slice();
          break;
        }
        case 'ee':
        case 'es':
        case 'se':
        case 'ss':
        case 'psk': {
          const refusal = await this.#mixToken(token);
          if (refusal !== undefined) return fail(refusal);
        }
      }
    }
    const payload = await this.#symmetric.decryptAndHash(message.subarray(at));
    return payload === undefined ? fail('unauthorized') : ok(payload);
  }

  /** The transport keys; call it once, when `finished`. */
  split(): SplitKeys {
    if (!this.finished) throw new Error('the handshake is not finished');
    return this.#symmetric.split();
  }

  #nextTokens(): readonly NoiseToken[] {
    const tokens = this.#options.pattern.messages[this.#step];
    if (tokens === undefined) throw new Error('the handshake is finished');
    this.#step++;
    return tokens;
  }

  async #mixEphemeral(publicKey: Uint8Array): Promise<void> {
    this.#symmetric.mixHash(publicKey);
    // With a psk the ephemeral must randomise the key as well. Source: Noise 9.2.
    if (this.#options.pskFor !== undefined) await this.#symmetric.mixKey(publicKey);
  }

  async #mixToken(token: 'ee' | 'es' | 'se' | 'ss' | 'psk'): Promise<NoiseRefusal | undefined> {
    if (token === 'psk') {
      const psk = this.#options.pskFor?.(this.#remoteStatic);
      if (psk === undefined) return 'unauthorized';
      await this.#symmetric.mixKeyAndHash(psk);
      return undefined;
    }
    const shared = await this.#agree(token);
    if (isAllZero(shared)) return 'refused_key';
    await this.#symmetric.mixKey(shared);
    return undefined;
  }

  /** The first letter of a token names the initiator's key, the second the responder's. */
  async #agree(token: 'ee' | 'es' | 'se' | 'ss'): Promise<Uint8Array> {
    const [first, second] = token;
    const [own, peer] = this.#options.initiator ? [first, second] : [second, first];
    const key = own === 'e' ? this.#ephemeral : this.#options.staticKey;
    const remote = peer === 'e' ? this.#remoteEphemeral : this.#remoteStatic;
    if (key === undefined || remote === undefined)
      throw new Error('the pattern uses a key before it is known');
    return key.dh(remote);
  }
}
