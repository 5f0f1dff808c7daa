import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { LogFields, Logger } from '../../core/base/logger.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { sealBlock } from '../../core/channel/channelFrame.ts';
import type { FromBridgeMessage } from '../../core/channel/relayMessage.ts';
import type { SecureChannel } from '../../core/crypto/secureChannel.ts';
import type { BlockHint } from '../../core/protocol/relayFrame.ts';
import { strictJson } from '../../core/protocol/strictJson.ts';
import { toldMessage, type ToldMessage } from '../../core/protocol/toldMessage.ts';
import type { DeviceList } from './deviceList.ts';
import type { PairedDevice } from './pairedDevice.ts';

/** What a channel needs of its connection. */
export interface ChannelLink {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Who is trusted now; another window may have taken the trust away. */
  readonly devices: Pick<DeviceList, 'find'>;
  send(message: FromBridgeMessage): void;
}

/**
 * Why a message did not go out. `too_large`: no frame carries it; a shorter one may go out. `invalid`: the protocol does not
 * allow it, so its reader would refuse it.
 */
export type SendRefusal = 'closed' | 'too_large' | 'invalid';

export interface SendOptions {
  /** When it was said, in Unix milliseconds; now unless given. */
  readonly timeMs?: number;
  /** It is older than the present: nobody is notified of it. */
  readonly replay?: boolean;
}

/** One phone in one session: seals what it is told. Whatever is attached to it ends with it. */
export class DeviceChannel implements Disposable {
  readonly device: PairedDevice;
  /** The X25519 key by which the phone opened it, 32 bytes. */
  readonly key: Uint8Array;
  readonly secure: SecureChannel;
  readonly #link: ChannelLink;
  readonly #attached = new DisposableStore();
  #feed: Disposable | undefined;

  constructor(device: PairedDevice, key: Uint8Array, secure: SecureChannel, link: ChannelLink) {
    this.device = device;
    this.key = key;
    this.secure = secure;
    this.#link = link;
  }

  get sessionId(): string {
    return this.secure.sessionId;
  }

  get isOpen(): boolean {
    return !this.#attached.isDisposed && !this.secure.isClosed;
  }

  /** What this channel is told from now on, instead of what it was told before. */
  follow(feed: Disposable): void {
    if (this.#feed) this.#attached.delete(this.#feed);
    this.#feed = this.#attached.add(feed);
  }

  /** Seals a message and hands it to the connection, in the order of the calls. */
  async send(
    message: ToldMessage,
    hint: BlockHint,
    { timeMs = this.#link.clock.now(), replay = false }: SendOptions = {},
  ): Promise<Result<void, SendRefusal>> {
    if (!this.isOpen) return fail('closed');
    if (this.#link.devices.find(this.device.device_id) === undefined) {
      this.dispose();
      return fail('closed');
    }
    const json = strictJson(toldMessage, message);
    if (json === undefined) {
      this.#link.logger.error('channel.invalid', { device: this.device.device_id, ...namesOf(message) });
      return fail('invalid');
    }
    const sealed = await sealBlock(this.secure, { json, hint, replay, timeMs });
    // It may have closed while it was sealed.
    if (this.#attached.isDisposed) return fail('closed');
    if (!sealed.ok) return fail(sealed.code === 'too_large' ? 'too_large' : 'closed');
    this.#link.send(sealed.value);
    return ok(undefined);
  }

  dispose(): void {
    this.#attached.dispose();
    this.secure.dispose();
  }
}

/** What a refused message is, without anything that it says. */
function namesOf(message: ToldMessage): LogFields {
  switch (message.kind) {
    case 'event':
    case 'history':
      return { kind: message.kind, seq: message.seq, type: message.block.type };
    case 'live':
      return { kind: message.kind, type: message.block.type };
    case 'response':
      return { kind: message.kind, type: message.result.type };
    case 'event_patch':
    case 'patch':
    case 'snapshot':
    case 'replay_done':
    case 'summary':
    case 'window':
    case 'heartbeat':
      return { kind: message.kind };
  }
}
