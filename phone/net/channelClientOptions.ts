import type { Clock } from '../../core/base/clock.ts';
import type { CryptoPort, DhKey } from '../../core/crypto/cryptoPort.ts';
import type { Control } from '../../core/protocol/control/control.ts';
import type { BridgeId, DeviceId, InstanceId, SessionId } from '../../core/protocol/ids.ts';
import type { PhoneRelay } from './phoneRelay.ts';

/** A control before the channel gives it a request id. */
export type Request = Control extends infer C ? (C extends Control ? Omit<C, 'request_id'> : never) : never;

/** What a channel needs of the connection that it goes over. */
export type ChannelRelay = Pick<
  PhoneRelay,
  'state' | 'instances' | 'permits' | 'onFrame' | 'onDidChange' | 'send' | 'reconnect'
>;

export interface ChannelClientOptions {
  readonly relay: ChannelRelay;
  readonly crypto: CryptoPort;
  readonly clock: Clock;
  readonly unit: () => number;
  /**
   * The key to come with; undefined when there is none but those that the machine did not know just now.
   *
   * @param refused those
   */
  readonly chooseKey: (refused: ReadonlySet<DhKey>) => Promise<DhKey | undefined>;
  readonly deviceId: DeviceId;
  readonly bridgeId: BridgeId;
  readonly bridgePublicKey: Uint8Array;
  readonly psk: Uint8Array;
  readonly instanceId: InstanceId;
  readonly sessionId: SessionId;
  /** Frame 0 of every fresh channel: where to go on. */
  readonly greet: () => Request;
}
