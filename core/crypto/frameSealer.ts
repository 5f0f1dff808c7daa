import type { Clock } from '../base/clock.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { AadBuilder } from './aadBuilder.ts';
import type { AeadKey, CryptoPort } from './cryptoPort.ts';
import {
  MAX_COUNTER,
  MAX_EPOCH,
  packEnc,
  packNonce,
  type EnvelopeFields,
  type EnvelopeRoute,
} from './envelope.ts';
import { MAX_PLAINTEXT_BYTES, pad, paddedLength } from './padding.ts';
import { REKEY_LIMITS, rekey, type RekeyLimits } from './rekey.ts';
import { TurnQueue } from './turnQueue.ts';

/** Seals that may wait for their turn; far above what a socket takes before its peer is a slow consumer. */
const MAX_WAITING = 256;

/**
 * Why a frame was not sealed. `exhausted`: the key is at its end, and a fresh handshake (in a group a new key) must
 * follow; `overloaded`: the caller did not wait for earlier seals.
 */
export type SealRefusal = 'too_large' | 'exhausted' | 'overloaded';

/** Where a direction stands: its 32-byte key, the epoch of that key and the next counter; zero at the start. */
export interface DirectionState {
  readonly key: Uint8Array;
  readonly epoch?: number;
  readonly counter?: number;
}

/** One sending direction. */
export interface FrameSealerOptions {
  readonly crypto: CryptoPort;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly route: EnvelopeRoute;
  /** 4 bytes. */
  readonly ch: Uint8Array;
  readonly state: DirectionState;
  readonly limits?: RekeyLimits;
  /** 'noise' changes the key by REKEY at the limits; 'never' refuses there (rule K18). */
  readonly rekeys: 'noise' | 'never';
}

/** Seals the frames of one direction: counter order is call order, each nonce is used once. */
export class FrameSealer {
  readonly #options: Omit<FrameSealerOptions, 'state'>;
  readonly #limits: RekeyLimits;
  readonly #aads: AadBuilder;
  readonly #turns = new TurnQueue(MAX_WAITING);
  #key: AeadKey;
  #epoch: number;
  #counter: number;
  #frames = 0;
  #bytes = 0;
  #keyedAt: number;

  private constructor({ state, ...options }: FrameSealerOptions, key: AeadKey) {
    this.#options = options;
    this.#aads = new AadBuilder(options.route);
    this.#limits = options.limits ?? REKEY_LIMITS;
    this.#key = key;
    this.#epoch = state.epoch ?? 0;
    this.#counter = state.counter ?? 0;
    this.#keyedAt = options.clock.monotonic();
  }

  static async create(options: FrameSealerOptions): Promise<FrameSealer> {
    return new FrameSealer(options, await options.crypto.importAeadKey(options.state.key));
  }

  /** Epoch and counter of the next frame, unless a rekey comes first. */
  get position(): { readonly epoch: number; readonly counter: number } {
    return { epoch: this.#epoch, counter: this.#counter };
  }

  /**
   * @param plaintext at most 192,511 bytes; must not change until the promise settles
   * @returns the bytes of `enc` before base64
   */
  seal(fields: EnvelopeFields, plaintext: Uint8Array): Promise<Result<Uint8Array, SealRefusal>> {
    return this.sealComposed(fields, plaintext.length, () => plaintext);
  }

  /** Like `seal`, for a plaintext of known length that depends on its own nonce and AAD. */
  sealComposed(
    fields: EnvelopeFields,
    length: number,
    compose: (nonce: Uint8Array, aad: Uint8Array) => Uint8Array,
  ): Promise<Result<Uint8Array, SealRefusal>> {
    if (length > MAX_PLAINTEXT_BYTES) return Promise.resolve(fail('too_large'));
    const turn = this.#turns.run(() => this.#sealNext(fields, paddedLength(length), compose));
    return turn ?? Promise.resolve(fail('overloaded'));
  }

  /** Resolves when no seal is in flight. */
  idle(): Promise<void> {
    return this.#turns.idle();
  }

  async #sealNext(
    fields: EnvelopeFields,
    bytes: number,
    compose: (nonce: Uint8Array, aad: Uint8Array) => Uint8Array,
  ): Promise<Result<Uint8Array, SealRefusal>> {
    if (this.#isKeySpent(bytes) && !(await this.#renewKey())) return fail('exhausted');
    if (this.#counter > MAX_COUNTER || this.#epoch > MAX_EPOCH) return fail('exhausted');
    const { route, ch } = this.#options;
    const aad = this.#aads.build(fields);
    const nonce = packNonce({ dir: route.dir, ch, epoch: this.#epoch, counter: this.#counter });
    const padded = pad(compose(nonce, aad));
    // Counted before the cipher runs: a failure in it loses a frame, never repeats a nonce.
    this.#counter++;
    this.#frames++;
    this.#bytes += bytes;
    const whole = this.#key.sealBehindNonce?.(nonce, aad, padded);
    return ok(whole === undefined ? packEnc(nonce, await this.#key.seal(nonce, aad, padded)) : await whole);
  }

  #isKeySpent(bytes: number): boolean {
    const { frames, bytes: maxBytes, ageMs } = this.#limits;
    return (
      this.#frames >= frames ||
      (this.#frames > 0 && this.#bytes + bytes > maxBytes) ||
      this.#options.clock.monotonic() - this.#keyedAt >= ageMs
    );
  }

  async #renewKey(): Promise<boolean> {
    if (this.#options.rekeys === 'never' || this.#epoch >= MAX_EPOCH) return false;
    this.#key = await rekey(this.#options.crypto, this.#key);
    this.#epoch++;
    this.#frames = 0;
    this.#bytes = 0;
    this.#keyedAt = this.#options.clock.monotonic();
    return true;
  }
}
