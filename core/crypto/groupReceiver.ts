import type { Result } from '../base/result.ts';
import type { CryptoPort } from './cryptoPort.ts';
import { FrameOpener, type OpenRefusal, type ReceivedFrame } from './frameOpener.ts';
import { groupCh, groupSignedBytes, GROUP_SIGNATURE_BYTES, type GroupKeyState } from './groupKey.ts';
import type { Ed25519Verify } from './linkPort.ts';

/** A viewer's end of a stream under one delivered key. */
export interface GroupReceiverOptions {
  readonly crypto: CryptoPort;
  readonly ed25519Verify: Ed25519Verify;
  readonly sessionId: string;
  /** The `grp_` id. */
  readonly dest: string;
  readonly state: GroupKeyState;
  /** K_b, 32 bytes. */
  readonly bridgeIdentity: Uint8Array;
}

/**
 * Opens group frames. `resync` means a gap or a forgery; it is mended by a pairwise snapshot and the key state
 * delivered with it. A frame of another key is `drop`.
 */
export class GroupReceiver {
  readonly #options: Omit<GroupReceiverOptions, 'state'>;
  readonly #opener: FrameOpener;

  private constructor(options: Omit<GroupReceiverOptions, 'state'>, opener: FrameOpener) {
    this.#options = options;
    this.#opener = opener;
  }

  static async create(options: GroupReceiverOptions): Promise<GroupReceiver> {
    const { state, ...kept } = options;
    const { crypto, sessionId, dest } = kept;
    const opener = await FrameOpener.create({
      crypto,
      route: { dir: 3, sessionId, dest },
      ch: groupCh(crypto, state.key),
      state,
      rekeys: 'never',
    });
    return new GroupReceiver(kept, opener);
  }

  /** Committed epoch and expected counter. */
  get position(): FrameOpener['position'] {
    return this.#opener.position;
  }

  /** @returns the body, its signature verified before the counter is committed (rule K19) */
  open(frame: ReceivedFrame): Promise<Result<Uint8Array, OpenRefusal>> {
    const { crypto, ed25519Verify, bridgeIdentity } = this.#options;
    return this.#opener.open(frame, (plaintext, nonce, aad) => {
      if (plaintext.length < GROUP_SIGNATURE_BYTES) return undefined;
      const body = plaintext.subarray(GROUP_SIGNATURE_BYTES);
      const signed = groupSignedBytes(crypto, nonce, aad, body);
      const signature = plaintext.subarray(0, GROUP_SIGNATURE_BYTES);
      return ed25519Verify(bridgeIdentity, signed, signature) ? body : undefined;
    });
  }
}
