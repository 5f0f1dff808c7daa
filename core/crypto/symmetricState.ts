import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { AeadKey, CryptoPort } from './cryptoPort.ts';
import { hkdf } from './hkdf.ts';
import type { NoiseCipher } from './noiseCipher.ts';

const EMPTY = new Uint8Array(0);

/** What a Noise symmetric state computes with. */
export interface SymmetricPort {
  readonly hash: Pick<CryptoPort, 'sha256' | 'hmacSha256'>;
  readonly cipher: NoiseCipher;
}

/** The two transport keys of Split, 32 bytes each. */
export interface SplitKeys {
  readonly initiatorToResponder: Uint8Array;
  readonly responderToInitiator: Uint8Array;
}

/** Chaining key, transcript hash and cipher of a handshake. Source: Noise 5.2. */
export class SymmetricState {
  readonly #port: SymmetricPort;
  #chainingKey: Uint8Array;
  #hash: Uint8Array;
  #key: AeadKey | undefined;
  #counter = 0;

  private constructor(port: SymmetricPort, chainingKey: Uint8Array, hash: Uint8Array) {
    this.#port = port;
    this.#chainingKey = chainingKey;
    this.#hash = hash;
  }

  static initialize(port: SymmetricPort, protocolName: string): SymmetricState {
    const name = utf8ToBytes(protocolName);
    const hash =
      name.length <= 32 ? concatBytes(name, new Uint8Array(32 - name.length)) : port.hash.sha256(name);
    return new SymmetricState(port, hash, hash);
  }

  /** 32 bytes. Secret until Split; the pairing code and the session psk are derived from it. */
  get chainingKey(): Uint8Array {
    return this.#chainingKey;
  }

  /** 32 bytes. */
  get handshakeHash(): Uint8Array {
    return this.#hash;
  }

  clone(): SymmetricState {
    const copy = new SymmetricState(this.#port, this.#chainingKey, this.#hash);
    copy.#key = this.#key;
    copy.#counter = this.#counter;
    return copy;
  }

  mixHash(data: Uint8Array): void {
    this.#hash = this.#port.hash.sha256(concatBytes(this.#hash, data));
  }

  async mixKey(ikm: Uint8Array): Promise<void> {
    const [chainingKey, key] = this.#derive(ikm, 2);
    this.#chainingKey = chainingKey;
    await this.#setKey(key);
  }

  async mixKeyAndHash(ikm: Uint8Array): Promise<void> {
    const [chainingKey, hash, key] = this.#derive(ikm, 3);
    this.#chainingKey = chainingKey;
    this.mixHash(hash);
    await this.#setKey(key);
  }

  /** @returns ciphertext and tag, or the plaintext itself before the first key */
  async encryptAndHash(plaintext: Uint8Array): Promise<Uint8Array> {
    const out =
      this.#key === undefined ? plaintext : await this.#key.seal(this.#nextNonce(), this.#hash, plaintext);
    this.mixHash(out);
    return out;
  }

  /** @returns the plaintext, or nothing when the tag does not verify: the handshake is over */
  async decryptAndHash(sealed: Uint8Array): Promise<Uint8Array | undefined> {
    const out =
      this.#key === undefined ? sealed : await this.#key.open(this.#nextNonce(), this.#hash, sealed);
    if (out !== undefined) this.mixHash(sealed);
    return out;
  }

  /** Whether messages are encrypted by now, so that they carry a tag. */
  get hasKey(): boolean {
    return this.#key !== undefined;
  }

  split(): SplitKeys {
    const [initiatorToResponder, responderToInitiator] = this.#derive(EMPTY, 2);
    return { initiatorToResponder, responderToInitiator };
  }

  #derive(ikm: Uint8Array, count: 2 | 3): [Uint8Array, Uint8Array, Uint8Array] {
    const out = hkdf(this.#port.hash, { ikm, salt: this.#chainingKey, length: 32 * count });
    return [out.slice(0, 32), out.slice(32, 64), out.slice(64)];
  }

  async #setKey(raw: Uint8Array): Promise<void> {
    this.#key = await this.#port.cipher.importKey(raw);
    this.#counter = 0;
  }

  #nextNonce(): Uint8Array {
    return this.#port.cipher.nonce(this.#counter++);
  }
}
