import { fail, ok, type Result } from '../base/result.ts';
import { AadBuilder } from './aadBuilder.ts';
import { equalBytes } from './byteLayout.ts';
import type { AeadKey, CryptoPort } from './cryptoPort.ts';
import {
  MAX_EPOCH,
  NONCE_BYTES,
  unpackNonce,
  type EnvelopeFields,
  type EnvelopeRoute,
  type NonceFields,
} from './envelope.ts';
import type { DirectionState } from './frameSealer.ts';
import { unpad } from './padding.ts';
import { rekey } from './rekey.ts';
import { TurnQueue } from './turnQueue.ts';

/** Frames that may wait to be opened. A peer beyond it is answered with `resync`. */
const MAX_WAITING = 1024;

/**
 * What happens to a frame that is not delivered (rule K6). `drop`: ignored in silence, it belongs to no channel here;
 * `resync` and `bad_padding` close the channel, and a fresh handshake follows.
 */
export type OpenRefusal = 'drop' | 'resync' | 'bad_padding';

/** A parsed frame as it came in, its `enc` decoded. */
export interface ReceivedFrame extends EnvelopeFields {
  readonly sessionId: string;
  readonly dest?: string | undefined;
  readonly enc: Uint8Array;
}

/** One receiving direction. */
export interface FrameOpenerOptions {
  readonly crypto: CryptoPort;
  readonly route: EnvelopeRoute;
  /** 4 bytes. */
  readonly ch: Uint8Array;
  /** `counter` is the one expected next. */
  readonly state: DirectionState;
  /** 'noise' follows the sender to epoch + 1; 'never' takes the present epoch only (rule K18). */
  readonly rekeys: 'noise' | 'never';
}

/** A last check before a frame is committed: gives what is to be delivered, nothing to refuse it with `resync`. */
export type AcceptPlaintext = (
  plaintext: Uint8Array,
  nonce: Uint8Array,
  aad: Uint8Array,
) => Uint8Array | undefined;

const acceptAll: AcceptPlaintext = plaintext => plaintext;

/**
 * Opens the frames of one direction, in order. A refused frame changes neither key, epoch nor expected counter; after
 * `resync` or `bad_padding` every further frame is dropped.
 */
export class FrameOpener {
  readonly #options: Omit<FrameOpenerOptions, 'state'>;
  readonly #aads: AadBuilder;
  readonly #turns = new TurnQueue(MAX_WAITING);
  #key: AeadKey;
  #epoch: number;
  #counter: number;
  #opened = 0;
  #closed = false;

  private constructor({ state, ...options }: FrameOpenerOptions, key: AeadKey) {
    this.#options = options;
    this.#aads = new AadBuilder(options.route);
    this.#key = key;
    this.#epoch = state.epoch ?? 0;
    this.#counter = state.counter ?? 0;
  }

  static async create(options: FrameOpenerOptions): Promise<FrameOpener> {
    return new FrameOpener(options, await options.crypto.importAeadKey(options.state.key));
  }

  /** Committed epoch and expected counter. */
  get position(): { readonly epoch: number; readonly counter: number } {
    return { epoch: this.#epoch, counter: this.#counter };
  }

  /** Frames delivered so far. */
  get opened(): number {
    return this.#opened;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
  }

  /** @param frame its `enc` must not change until the promise settles */
  open(frame: ReceivedFrame, accept = acceptAll): Promise<Result<Uint8Array, OpenRefusal>> {
    const nonce = unpackNonce(frame.enc);
    if (nonce === undefined || !this.#isOwn(frame, nonce)) return Promise.resolve(fail('drop'));
    const turn = this.#turns.run(() => this.#openNext(frame, nonce, accept));
    return turn ?? Promise.resolve(this.#refuse('resync'));
  }

  #isOwn(frame: ReceivedFrame, nonce: NonceFields): boolean {
    const { route, ch } = this.#options;
    return (
      equalBytes(nonce.ch, ch) &&
      frame.sessionId === route.sessionId &&
      (frame.dest === undefined || frame.dest === route.dest)
    );
  }

  async #openNext(
    frame: ReceivedFrame,
    { dir, epoch, counter }: NonceFields,
    accept: AcceptPlaintext,
  ): Promise<Result<Uint8Array, OpenRefusal>> {
    if (this.#closed) return fail('drop');
    const { crypto, route, rekeys } = this.#options;
    const isRekeyed = rekeys === 'noise' && epoch === this.#epoch + 1;
    const isExpected = dir === route.dir && counter === this.#counter && epoch <= MAX_EPOCH;
    if (!isExpected || (epoch !== this.#epoch && !isRekeyed)) return this.#refuse('resync');

    const key = isRekeyed ? await rekey(crypto, this.#key) : this.#key;
    const aad = this.#aads.build(frame);
    const nonce = frame.enc.subarray(0, NONCE_BYTES);
    const padded = await key.open(nonce, aad, frame.enc.subarray(NONCE_BYTES));
    if (this.isClosed) return fail('drop');
    if (padded === undefined) return this.#refuse('resync');
    const plaintext = unpad(padded);
    if (plaintext === undefined) return this.#refuse('bad_padding');
    const accepted = accept(plaintext, nonce, aad);
    if (accepted === undefined) return this.#refuse('resync');

    this.#key = key;
    this.#epoch = epoch;
    this.#counter = counter + 1;
    this.#opened++;
    return ok(accepted);
  }

  #refuse<Code extends OpenRefusal>(code: Code): { readonly ok: false; readonly code: Code } {
    this.#closed = true;
    return fail(code);
  }
}
