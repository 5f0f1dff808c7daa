import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { base64 } from '@scure/base';
import { openText, sealControl } from '../../core/channel/channelFrame.ts';
import { initiate } from '../../core/crypto/handshake.ts';
import type { DhKey } from '../../core/crypto/cryptoPort.ts';
import { SecureChannel } from '../../core/crypto/secureChannel.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { deviceId, instanceId, requestId, sessionId } from '../../core/protocol/ids.ts';
import type { FromBridgeMessage } from '../../core/channel/relayMessage.ts';
import type { ControlEnvelope } from '../../core/protocol/envelope/envelopeValue.ts';
import type { SessionRequest } from '../../core/protocol/relayFrame.ts';
import { nodeCrypto } from '../../platform/node/nodeCrypto.ts';
import { nodeLink } from '../../platform/node/nodeLink.ts';
import { loadBridgeIdentity, type BridgeIdentity } from '../../src/bridge/bridgeIdentity.ts';
import type { DeviceChannel } from '../../src/bridge/deviceChannel.ts';
import { DeviceList } from '../../src/bridge/deviceList.ts';
import { HandshakeDesk } from '../../src/bridge/handshakeDesk.ts';
import type { PairedDevice } from '../../src/bridge/pairedDevice.ts';
import { RecordingLogger } from './recordingLogger.ts';
import { ShiftableClock } from './shiftableClock.ts';

/** A bridge's handshake desk with one paired phone, and frames in place of a relay. */
export class Desk {
  readonly clock = new ShiftableClock();
  readonly logger = new RecordingLogger();
  readonly sent: FromBridgeMessage[] = [];
  readonly controls: { readonly channel: DeviceChannel; readonly text: string; readonly isFirst: boolean }[] =
    [];
  readonly instance = instanceId.parse(randomBytes(16).toString('hex'));
  readonly device = deviceId.parse('d_1');
  readonly psk = randomBytes(32);
  readonly folder: string;
  readonly devices: DeviceList;
  readonly identity: BridgeIdentity;
  readonly phoneKey: DhKey;
  readonly desk: HandshakeDesk;
  /** What a frame of the bridge's goes to. */
  deliver: (frame: FromBridgeMessage) => void = () => undefined;
  receive: (channel: DeviceChannel, text: string) => void = () => undefined;
  #requests = 0;

  private constructor(folder: string, identity: BridgeIdentity, phoneKey: DhKey) {
    this.folder = folder;
    this.identity = identity;
    this.phoneKey = phoneKey;
    this.devices = new DeviceList(folder, this.clock);
    this.desk = new HandshakeDesk({
      crypto: nodeCrypto,
      clock: this.clock,
      logger: this.logger,
      identity,
      instance: this.instance,
      devices: this.devices,
      hasSession: () => true,
      send: frame => {
        this.sent.push(frame);
        this.deliver(frame);
      },
      control: (channel, text, isFirst) => {
        this.controls.push({ channel, text, isFirst });
        this.receive(channel, text);
      },
    });
  }

  /**
   * @param options.role what the paired phone may do
   * @param options.phoneKey its key; one is drawn without
   */
  static async create(
    options: { readonly role?: PairedDevice['role']; readonly phoneKey?: DhKey } = {},
  ): Promise<Desk> {
    const folder = mkdtempSync(join(tmpdir(), 'td-'));
    const identity = await loadBridgeIdentity(folder, nodeCrypto, nodeLink);
    const desk = new Desk(folder, identity, options.phoneKey ?? (await nodeCrypto.generateDhKey()));
    await desk.devices.add({
      device_id: desk.device,
      name: 'Phone',
      role: options.role ?? 'owner',
      S_d: base64.encode(desk.phoneKey.publicKey),
      K_d: base64.encode(new Uint8Array(65).fill(4)),
      session_psk: base64.encode(desk.psk),
      paired_at: 1,
    });
    return desk;
  }

  dispose(): void {
    this.desk.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The newest frame sent of a type. */
  last<T extends FromBridgeMessage['type']>(type: T): Extract<FromBridgeMessage, { type: T }> | undefined {
    const found = this.sent.findLast(frame => frame.type === type);
    return isType(found, type) ? found : undefined;
  }

  async begin(session: string, options: { readonly key?: DhKey; readonly psk?: Uint8Array } = {}) {
    const started = await initiate(nodeCrypto, {
      kind: 'session',
      bridgeId: this.identity.bridgeId,
      instanceId: this.instance,
      sessionId: session,
      deviceKey: options.key ?? this.phoneKey,
      bridgePublicKey: this.identity.dhKey.publicKey,
      psk: options.psk ?? this.psk,
    });
    if (!started.ok) throw new Error(started.code);
    this.#requests += 1;
    const request: SessionRequest = {
      type: 'session_request',
      instance_id: this.instance,
      session_id: sessionId.parse(session),
      request_id: requestId.parse(`r${String(this.#requests)}`),
      ios_epk: base64.encode(started.value.message1),
      device_id: this.device,
    };
    return { request, initiation: started.value };
  }

  /** The phone's end of a finished handshake; half-open at the bridge until something is sealed and received. */
  async connect(session: string, options: { readonly key?: DhKey } = {}): Promise<SecureChannel> {
    const { request, initiation } = await this.begin(session, options);
    await this.desk.onRequest(request);
    const accepted = this.last('session_accept');
    if (accepted?.request_id !== request.request_id) throw new Error('not accepted');
    const secrets = await initiation.finish(base64.decode(accepted.bridge_epk));
    if (!secrets.ok) throw new Error(secrets.code);
    return SecureChannel.create({
      crypto: nodeCrypto,
      clock: this.clock,
      side: 'app',
      sessionId: session,
      deviceId: this.device,
      secrets: secrets.value,
    });
  }

  async seal(channel: SecureChannel, text: string): Promise<ControlEnvelope> {
    const sealed = await sealControl(channel, text, this.clock.now());
    if (!sealed.ok) throw new Error(sealed.code);
    return sealed.value;
  }

  /** The phone says something; settles when the bridge has dealt with it. */
  async say(channel: SecureChannel, control: object | string): Promise<void> {
    const text = typeof control === 'string' ? control : JSON.stringify(control);
    await this.desk.onControl(await this.seal(channel, text));
  }

  /** Opens every block that was sent on this channel and has not been opened yet. */
  async read(channel: SecureChannel): Promise<unknown[]> {
    const messages: unknown[] = [];
    for (const frame of this.sent.splice(0)) {
      if (frame.type !== 'block') continue;
      const opened = await openText(channel, frame);
      if (opened.ok) messages.push(jsonValue(opened.value));
    }
    return messages;
  }
}

function isType<T extends FromBridgeMessage['type']>(
  frame: FromBridgeMessage | undefined,
  type: T,
): frame is Extract<FromBridgeMessage, { type: T }> {
  return frame?.type === type;
}
