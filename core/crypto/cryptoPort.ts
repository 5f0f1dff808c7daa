/** An AES-256-GCM key, held by whatever the platform offers. */
export interface AeadKey {
  /** @returns ciphertext followed by the 16-byte tag */
  seal(nonce: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Promise<Uint8Array>;
  /** Like `seal`, with the nonce in front: for platforms that can write both into one piece of memory. */
  sealBehindNonce?(nonce: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Promise<Uint8Array>;
  /** @returns the plaintext, or undefined when the tag does not verify or `sealed` is shorter than a tag */
  open(nonce: Uint8Array, aad: Uint8Array, sealed: Uint8Array): Promise<Uint8Array | undefined>;
}

/** An X25519 private key that never leaves its holder. */
export interface DhKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** @returns 32 bytes; all zero for a low-order `peer`, which callers must refuse */
  dh(peer: Uint8Array): Promise<Uint8Array>;
}

/**
 * What the profile `relay-e2e/1` needs from a platform. Every implementation passes the same known answers, so native
 * and pure code can replace each other.
 */
export interface CryptoPort {
  randomBytes(length: number): Uint8Array;
  sha256(data: Uint8Array): Uint8Array;
  hmacSha256(key: Uint8Array, data: Uint8Array): Uint8Array;
  /** @param raw 32 bytes */
  importAeadKey(raw: Uint8Array): Promise<AeadKey>;
  /** A fresh ephemeral key. */
  generateDhKey(): Promise<DhKey>;
  /** @param raw 32 bytes of private key */
  importDhKey(raw: Uint8Array): Promise<DhKey>;
}
