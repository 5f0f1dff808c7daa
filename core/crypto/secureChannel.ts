import { bytesToHex } from '@noble/hashes/utils.js';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { fail, type Result } from '../base/result.ts';
import type { CryptoPort } from './cryptoPort.ts';
import type { EnvelopeFields, EnvelopeRoute } from './envelope.ts';
import { FrameOpener, type OpenRefusal, type ReceivedFrame } from './frameOpener.ts';
import { FrameSealer, type SealRefusal } from './frameSealer.ts';
import type { HandshakeSecrets } from './handshake.ts';
import type { RekeyLimits } from './rekey.ts';

/** Why a channel did not seal. `half_open`: a responder sends nothing before application frame 0 (rule K23). */
export type ChannelSealRefusal = SealRefusal | 'closed' | 'half_open';

/** What the sender chooses of a frame; its `type` follows from the side (rule K11). */
export type SealFields = Omit<EnvelopeFields, 'type'>;

/** How a channel starts, from the secrets of a finished handshake. */
export interface SecureChannelOptions {
  readonly crypto: CryptoPort;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly side: 'app' | 'bridge';
  readonly sessionId: string;
  /** Empty in a pairing channel (rule K4). */
  readonly deviceId: string;
  readonly secrets: Pick<HandshakeSecrets, 'ch' | 'appToBridgeKey' | 'bridgeToAppKey'>;
  /** 2^20 frames, 1 GiB, 60 min unless said. */
  readonly limits?: RekeyLimits;
}

/**
 * A pairwise channel: seals in one direction, opens in the other. Bytes in, bytes out.
 *
 * The bridge's side starts half-open: it seals nothing until frame 0 has been opened. The caller bounds that time
 * (10 s) and number (16), keeps the live channel beside it meanwhile, and starts a fresh handshake every 24 h and
 * whenever a refusal closed the channel. Keys are never persisted.
 */
export class SecureChannel implements Disposable {
  /** ch in hex; with `sessionId` it finds the channel of a frame (`channelOf` in envelope.ts). */
  readonly ch: string;
  readonly sessionId: string;
  /** What the sender puts in `dest`; empty means that the field is left out. */
  readonly dest: string;
  readonly #side: 'app' | 'bridge';
  readonly #sealer: FrameSealer;
  readonly #opener: FrameOpener;

  private constructor(options: SecureChannelOptions, sealer: FrameSealer, opener: FrameOpener) {
    this.ch = bytesToHex(options.secrets.ch);
    this.sessionId = options.sessionId;
    this.dest = options.side === 'bridge' ? options.deviceId : '';
    this.#side = options.side;
    this.#sealer = sealer;
    this.#opener = opener;
  }

  static async create(options: SecureChannelOptions): Promise<SecureChannel> {
    const { crypto, clock, side, sessionId, deviceId, secrets, limits } = options;
    const toApp: EnvelopeRoute = { dir: 1, sessionId, dest: deviceId };
    const toBridge: EnvelopeRoute = { dir: 2, sessionId, dest: '' };
    const appKey = { key: secrets.appToBridgeKey };
    const bridgeKey = { key: secrets.bridgeToAppKey };
    const [out, into] = side === 'bridge' ? [toApp, toBridge] : [toBridge, toApp];
    const [outKey, inKey] = side === 'bridge' ? [bridgeKey, appKey] : [appKey, bridgeKey];
    const shared = { crypto, ch: secrets.ch, rekeys: 'noise' } as const;
    const bounds = limits === undefined ? {} : { limits };
    const [sealer, opener] = await Promise.all([
      FrameSealer.create({ ...shared, ...bounds, clock, route: out, state: outKey }),
      FrameOpener.create({ ...shared, route: into, state: inKey }),
    ]);
    return new SecureChannel(options, sealer, opener);
  }

  /** True at the bridge until application frame 0 has been opened (rule K23). */
  get isHalfOpen(): boolean {
    return this.#side === 'bridge' && this.#opener.opened === 0;
  }

  /** True after a refusal that closes, or `dispose`. */
  get isClosed(): boolean {
    return this.#opener.isClosed;
  }

  /** Epoch and counter of the next frame out, and of the one expected in. For heartbeats and diagnostics. */
  get position(): { readonly sent: FrameSealer['position']; readonly received: FrameOpener['position'] } {
    return { sent: this.#sealer.position, received: this.#opener.position };
  }

  /**
   * Seals one frame. Calls take their turn, so frames must be sent in the order of the calls.
   *
   * @param fields from the app always hint 'control' and no replay (rule K11)
   * @param plaintext at most 192,511 bytes; must not change until the promise settles
   * @returns the bytes of `enc` before base64
   */
  seal(fields: SealFields, plaintext: Uint8Array): Promise<Result<Uint8Array, ChannelSealRefusal>> {
    if (this.isClosed) return Promise.resolve(fail('closed'));
    if (this.isHalfOpen) return Promise.resolve(fail('half_open'));
    if (this.#side === 'bridge') return this.#sealer.seal({ ...fields, type: 'block' }, plaintext);
    if (fields.blockType !== 'control' || fields.replay) throw new TypeError('an app sends controls only');
    return this.#sealer.seal({ ...fields, type: 'control' }, plaintext);
  }

  /**
   * Opens one frame. Calls take their turn; give frames in the order of arrival.
   *
   * @returns the plaintext, or the outcome in the order of rule K6
   */
  open(frame: ReceivedFrame): Promise<Result<Uint8Array, OpenRefusal>> {
    return this.#opener.open(frame);
  }

  /** Closes both directions. Frames that were waiting are dropped. */
  dispose(): void {
    this.#opener.close();
  }
}
