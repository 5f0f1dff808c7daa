import { base64 } from '@scure/base';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { CryptoPort } from '../../core/crypto/cryptoPort.ts';
import { channelOf } from '../../core/crypto/envelope.ts';
import { respond } from '../../core/crypto/handshake.ts';
import { SecureChannel } from '../../core/crypto/secureChannel.ts';
import { openText } from '../../core/channel/channelFrame.ts';
import type { FromBridgeMessage } from '../../core/channel/relayMessage.ts';
import { decodeBase64 } from '../../core/protocol/base64.ts';
import {
  controlSession,
  sessionId,
  type DeviceId,
  type InstanceId,
  type SessionId,
} from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { ControlEnvelope } from '../../core/protocol/envelope/envelopeValue.ts';
import type { SessionRequest, SessionResume } from '../../core/protocol/relayFrame.ts';
import type { BridgeIdentity } from './bridgeIdentity.ts';
import { DeviceChannel } from './deviceChannel.ts';
import type { DeviceList } from './deviceList.ts';

export interface HandshakeDeskPorts {
  readonly crypto: CryptoPort;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly identity: BridgeIdentity;
  readonly instance: InstanceId;
  readonly devices: DeviceList;
  readonly send: (message: FromBridgeMessage) => void;
  /** Whether this window has the session; one that a phone is about to open does not exist yet. */
  readonly hasSession: (id: SessionId) => boolean;
  /** A control of a proven phone, in order. The first of a channel has just promoted it. */
  readonly control: (channel: DeviceChannel, text: string, isFirst: boolean) => void;
}

/** A phone makes its channel anew after `limits.channelMs` by itself; one that has not by then is let go. In milliseconds. */
const overdueMs = 10 * 60_000;

interface Entry {
  readonly channel: DeviceChannel;
  /** Until when it may be half-open; undefined once its phone has proven itself. */
  timer: Disposable | undefined;
  /** Until when it may live, from then on. */
  life?: Disposable;
}

/**
 * Answers handshakes of paired phones and finds the channel of each frame. A handshake can be replayed, so a channel
 * counts only once its first frame has opened; until then it displaces nothing (protocol.md 2.3).
 */
export class HandshakeDesk implements Disposable {
  readonly #ports: HandshakeDeskPorts;
  /** By session id and ch. Half-open ones carry their timer. */
  readonly #channels = new Map<string, Entry>();
  readonly #disposables = new DisposableStore();
  /** Handshakes under way count too, so that a flood of them cannot pass the bound between two awaits. */
  #answering = 0;

  constructor(ports: HandshakeDeskPorts) {
    this.#ports = ports;
  }

  /** Channels whose phone has proven itself. */
  get live(): readonly DeviceChannel[] {
    return [...this.#channels.values()].flatMap(entry => (entry.timer === undefined ? [entry.channel] : []));
  }

  async onRequest(frame: SessionRequest | SessionResume): Promise<void> {
    const { crypto, clock, identity, instance, devices } = this.#ports;
    const halfOpen = this.#channels.size - this.live.length;
    const message1 = decodeBase64(frame.ios_epk);
    if (message1 === undefined || halfOpen + this.#answering >= limits.halfOpenHandshakes) {
      // An honest phone with many sessions comes back in a moment.
      this.#refuse(frame, message1 === undefined ? 'unauthorized' : 'busy');
      return;
    }
    this.#answering += 1;
    try {
      const answered = await respond(crypto, {
        kind: 'session',
        bridgeId: identity.bridgeId,
        instanceId: instance,
        sessionId: frame.session_id,
        bridgeKey: identity.dhKey,
        message1,
        pskFor: key => {
          const device = devices.findByKey(key);
          return device === undefined ? undefined : base64.decode(device.session_psk);
        },
        isChannelTaken: ch => this.#channels.has(keyOf(frame.session_id, Buffer.from(ch).toString('hex'))),
      });
      const key = answered.ok ? answered.value.secrets.remoteStatic : undefined;
      const device = key === undefined ? undefined : devices.findByKey(key);
      if (!answered.ok || key === undefined || device === undefined || this.#disposables.isDisposed) {
        this.#refuse(frame);
        return;
      }
      const secure = await SecureChannel.create({
        crypto,
        clock,
        side: 'bridge',
        sessionId: frame.session_id,
        deviceId: device.device_id,
        secrets: answered.value.secrets,
      });
      const channel = new DeviceChannel(device, key, secure, this.#ports);
      const name = keyOf(frame.session_id, secure.ch);
      const timer = this.#disposables.add(clock.after(limits.halfOpenMs, () => this.#close(name)));
      this.#channels.set(name, { channel, timer });
      this.#announce('session_opened', frame.session_id);
      this.#ports.send({
        type: 'session_accept',
        session_id: frame.session_id,
        request_id: frame.request_id,
        bridge_epk: base64.encode(answered.value.message2),
        generation: 0,
        dest: device.device_id,
      });
    } finally {
      this.#answering -= 1;
    }
  }

  async onControl(envelope: ControlEnvelope): Promise<void> {
    const ch = channelOf(envelope.enc);
    if (ch === undefined) return;
    const key = keyOf(envelope.sessionId, ch);
    const entry = this.#channels.get(key);
    // A late frame of an old channel is no news.
    if (entry === undefined) return;
    const opened = await openText(entry.channel.secure, envelope);
    if (!opened.ok) {
      // A half-open channel that fails to verify stays what it was: only its own phone can promote it.
      if (opened.code !== 'drop' && this.#channels.get(key) === entry) this.#resync(key, entry.channel);
      return;
    }
    if (this.#channels.get(key) !== entry) return;
    const isFirst = entry.timer !== undefined;
    if (isFirst) this.#promote(key, entry);
    // The list is asked again: a phone that was revoked a moment ago changes nothing any more.
    if (this.#ports.devices.find(entry.channel.device.device_id) === undefined) {
      this.closeDevice(entry.channel.device.device_id);
      return;
    }
    this.#ports.control(entry.channel, opened.value, isFirst);
  }

  /** The phone is gone or is no longer trusted. */
  closeDevice(device: DeviceId): void {
    for (const [key, { channel }] of this.#channels)
      if (channel.device.device_id === device) this.#close(key);
  }

  /** Ends what is left of phones that another window has revoked. @returns whether there was any */
  closeUntrusted(): boolean {
    const gone = [...this.#channels.values()]
      .map(({ channel }) => channel.device.device_id)
      .filter(id => this.#ports.devices.find(id) === undefined);
    for (const id of gone) this.closeDevice(id);
    return gone.length > 0;
  }

  /** The connection is gone; every phone makes fresh channels on the next one. */
  closeAll(): void {
    for (const key of [...this.#channels.keys()]) this.#close(key);
  }

  dispose(): void {
    this.closeAll();
    this.#disposables.dispose();
  }

  #promote(key: string, entry: Entry): void {
    if (entry.timer) this.#disposables.delete(entry.timer);
    entry.timer = undefined;
    // Else whoever has it could keep it for ever, also when the key that opened it opens nothing any more.
    const renew = (): void => this.#resync(key, entry.channel);
    entry.life = this.#disposables.add(this.#ports.clock.after(limits.channelMs + overdueMs, renew));
    const { device, key: proven, sessionId: session } = entry.channel;
    if (device.previous !== undefined)
      void this.#ports.devices
        .forgetReplacedKey(device.device_id, proven)
        .catch(() => this.#ports.logger.warn('device.key_kept', { device: device.device_id }));
    for (const [otherKey, other] of this.#channels) {
      const isSame =
        other.channel.sessionId === session && other.channel.device.device_id === device.device_id;
      if (isSame && otherKey !== key && other.timer === undefined) this.#close(otherKey);
    }
  }

  #resync(key: string, channel: DeviceChannel): void {
    const { device, secure } = channel;
    this.#ports.logger.warn('channel.resync', { device: device.device_id });
    this.#close(key);
    const session_id = sessionId.parse(secure.sessionId);
    this.#ports.send({
      type: 'error',
      code: 'resync',
      message: 'resync',
      session_id,
      dest: device.device_id,
    });
  }

  #close(key: string): void {
    const entry = this.#channels.get(key);
    this.#channels.delete(key);
    if (entry?.timer) this.#disposables.delete(entry.timer);
    if (entry?.life) this.#disposables.delete(entry.life);
    entry?.channel.dispose();
    if (entry !== undefined) this.#announce('session_closed', sessionId.parse(entry.channel.sessionId));
  }

  /** The relay must know where a session is before its phone can open it, and forget what was never opened. */
  #announce(type: 'session_opened' | 'session_closed', session_id: SessionId): void {
    const { instance, hasSession, send } = this.#ports;
    if (session_id === controlSession(instance) || hasSession(session_id)) return;
    send({ type, session_id, instance_id: instance });
  }

  /** One refusal for every cause (protocol.md 2.5). */
  #refuse(frame: SessionRequest | SessionResume, code: 'unauthorized' | 'busy' = 'unauthorized'): void {
    this.#ports.logger.warn('handshake.refused', { device: frame.device_id });
    const { session_id, request_id, device_id } = frame;
    const dest = device_id === undefined ? {} : { dest: device_id };
    this.#ports.send({
      type: 'error',
      code,
      message: 'refused',
      session_id,
      request_id,
      ...dest,
    });
  }
}

function keyOf(session: string, ch: string): string {
  return `${session}/${ch}`;
}
