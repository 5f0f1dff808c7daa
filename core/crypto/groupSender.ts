import { concatBytes } from '@noble/hashes/utils.js';
import type { Clock } from '../base/clock.ts';
import type { Result } from '../base/result.ts';
import type { CryptoPort } from './cryptoPort.ts';
import { FrameSealer, type SealRefusal } from './frameSealer.ts';
import { groupCh, groupSignedBytes, GROUP_SIGNATURE_BYTES, type GroupKeyState } from './groupKey.ts';
import type { RekeyLimits } from './rekey.ts';
import type { SealFields } from './secureChannel.ts';

/** The bridge's end of a viewers' stream under one key. */
export interface GroupSenderOptions {
  readonly crypto: CryptoPort;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly sessionId: string;
  /** The `grp_` id. */
  readonly dest: string;
  readonly state: GroupKeyState;
  /** Ed25519 by K_b; 64 bytes. */
  readonly sign: (message: Uint8Array) => Uint8Array;
  readonly limits?: RekeyLimits;
}

/**
 * Seals read-only frames for all viewers, each signed inside by K_b. One sender serves one key: `retire` it, then
 * create the next with `ratchetGroupKey` (join, or `exhausted`) or a fresh random key (leave). Approval details never
 * enter a group.
 */
export class GroupSender {
  readonly #options: Pick<GroupSenderOptions, 'crypto' | 'sign'>;
  readonly #sealer: FrameSealer;

  private constructor({ crypto, sign }: GroupSenderOptions, sealer: FrameSealer) {
    this.#options = { crypto, sign };
    this.#sealer = sealer;
  }

  static async create(options: GroupSenderOptions): Promise<GroupSender> {
    const { crypto, clock, sessionId, dest, state, limits } = options;
    const sealer = await FrameSealer.create({
      crypto,
      clock,
      route: { dir: 3, sessionId, dest },
      ch: groupCh(crypto, state.key),
      state,
      rekeys: 'never',
      ...(limits === undefined ? {} : { limits }),
    });
    return new GroupSender(options, sealer);
  }

  /** @param body at most 192,447 bytes: the limit counts the signature (rule K19) */
  seal(fields: SealFields, body: Uint8Array): Promise<Result<Uint8Array, SealRefusal>> {
    const { crypto, sign } = this.#options;
    return this.#sealer.sealComposed(
      { ...fields, type: 'block' },
      GROUP_SIGNATURE_BYTES + body.length,
      (nonce, aad) => concatBytes(sign(groupSignedBytes(crypto, nonce, aad, body)), body),
    );
  }

  /** Waits for the frames in flight. @returns epoch and counter that the next key starts with */
  async retire(): Promise<Omit<GroupKeyState, 'key'>> {
    await this.#sealer.idle();
    const { epoch, counter } = this.#sealer.position;
    return { epoch: epoch + 1, counter };
  }
}
