import { base64 } from '@scure/base';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Emitter, type Event } from '../../core/base/emitter.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import type { Logger } from '../../core/base/logger.ts';
import { openText, sealBlock } from '../../core/channel/channelFrame.ts';
import type { FromBridgeMessage } from '../../core/channel/relayMessage.ts';
import type { CryptoPort } from '../../core/crypto/cryptoPort.ts';
import { equalBytes } from '../../core/crypto/byteLayout.ts';
import { respond } from '../../core/crypto/handshake.ts';
import { encodePairingFragment } from '../../core/crypto/pairingFragment.ts';
import { pairingCode, sessionPsk } from '../../core/crypto/pairingSecrets.ts';
import { SecureChannel } from '../../core/crypto/secureChannel.ts';
import { decodeBase64 } from '../../core/protocol/base64.ts';
import { pairConfirm } from '../../core/protocol/control/pairConfirm.ts';
import { deviceId, pairingSession, type InstanceId, type SessionId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { PairOutcome } from '../../core/protocol/pairOutcome.ts';
import type { ControlEnvelope } from '../../core/protocol/envelope/envelopeValue.ts';
import type { SessionRequest } from '../../core/protocol/relayFrame.ts';
import type { RelayAddress } from '../relayClient/relayAddress.ts';
import type { RelayApi } from '../relayClient/relayApi.ts';
import type { BridgeIdentity } from './bridgeIdentity.ts';
import type { DeviceList } from './deviceList.ts';
import { PairingAttempt } from './pairingAttempt.ts';
import type { PairingState } from './pairingState.ts';

export interface PairingPorts {
  readonly crypto: CryptoPort;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly identity: BridgeIdentity;
  readonly instance: InstanceId;
  readonly devices: DeviceList;
  readonly machine: string;
  readonly address: RelayAddress;
  readonly api: RelayApi;
  readonly send: (message: FromBridgeMessage) => void;
}

/** One phone, one QR code, one try at the code (protocol.md 2.3, "Pairing, step by step"). */
export class Pairing implements Disposable {
  readonly #ports: PairingPorts;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<PairingState>());
  #state: PairingState = { phase: 'idle' };
  #attempt: PairingAttempt | undefined;

  readonly #refused = this.#disposables.add(new Emitter<void>());

  readonly onDidChange: Event<PairingState> = this.#changed.event;
  /** A phone came with a link that was used or expired, while no code was on the screen. */
  readonly onDidRefuseLate: Event<void> = this.#refused.event;

  constructor(ports: PairingPorts) {
    this.#ports = ports;
  }

  get state(): PairingState {
    return this.#state;
  }

  /** Draws a new secret; an earlier code stops working. */
  async start(): Promise<void> {
    this.cancel();
    this.#set({ phase: 'starting' });
    const { api, identity, instance, crypto, clock, address } = this.#ports;
    const started = await api.startPairing(identity.bridgeId, instance);
    if (this.#state.phase !== 'starting') return;
    if (!started.ok) {
      this.#set({ phase: 'failed', reason: started.code });
      return;
    }
    const secret = crypto.randomBytes(32);
    const fragment = encodePairingFragment({
      relay: address.socketUrl,
      bridgeId: identity.bridgeId,
      instanceId: instance,
      pairId: started.value,
      bridgePublicKey: identity.dhKey.publicKey,
      bridgeIdentityHash: crypto.sha256(identity.signer.publicKey),
      secret,
    });
    this.#attempt = new PairingAttempt(started.value, secret);
    this.#attempt.expiry = clock.after(limits.pairingMs, () =>
      this.#end({ phase: 'failed', reason: 'expired' }),
    );
    const expiresAt = clock.now() + limits.pairingMs;
    this.#set({ phase: 'waiting', link: `${address.httpUrl}/#${fragment}`, expiresAt, refused: 0 });
  }

  /** The code that the user read off the phone: one try. */
  async submitCode(typed: string): Promise<void> {
    const attempt = this.#attempt;
    if (this.#state.phase !== 'code' || attempt?.secrets === undefined || attempt.confirm === undefined)
      return;
    const { crypto, api, devices, identity, machine, clock } = this.#ports;
    const expected = pairingCode(crypto, attempt.secrets);
    if (typed.replaceAll(/\D/g, '') !== expected) {
      await this.#reply(attempt, { type: 'pair_denied', code: 'unauthorized' });
      this.#end({ phase: 'failed', reason: 'wrong_code' });
      return;
    }
    const { K_d, name } = attempt.confirm;
    // Now, while the secret is there: it goes with the attempt, which may be cancelled meanwhile.
    const psk = base64.encode(sessionPsk(crypto, attempt.secret, attempt.secrets));
    const S_d = base64.encode(attempt.secrets.remoteStatic);
    this.#set({ phase: 'registering', phoneName: name });
    attempt.expiry?.dispose();
    const device = deviceId.parse(`d_${toHex(crypto.randomBytes(12))}`);
    const confirmed = await api.confirmPairing({
      pair_id: attempt.pairId,
      device_id: device,
      K_d,
      role: 'owner',
    });
    if (!confirmed.ok) {
      await this.#reply(attempt, { type: 'pair_denied', code: 'internal' });
      this.#end({ phase: 'failed', reason: confirmed.code });
      return;
    }
    const isCancelled = (): boolean => this.#attempt !== attempt;
    const paired_at = clock.now() / 1000;
    const added =
      !isCancelled() &&
      (await devices.add({ device_id: device, name, role: 'owner', S_d, K_d, session_psk: psk, paired_at }));
    if (isCancelled()) {
      await devices.remove(device);
      await api.revokeDevice(device);
      return;
    }
    if (!added) {
      await api.revokeDevice(device);
      await this.#reply(attempt, { type: 'pair_denied', code: 'busy' });
      this.#end({ phase: 'failed', reason: 'too_many_devices' });
      return;
    }
    const { access_token, refresh_token } = confirmed.value;
    await this.#reply(attempt, {
      type: 'pair_done',
      K_b: base64.encode(identity.signer.publicKey),
      device_id: device,
      role: 'owner',
      machine,
      access_token,
      refresh_token,
    });
    this.#ports.logger.info('pairing.paired', { device });
    this.#forget();
    this.#set({ phase: 'paired', phoneName: name });
  }

  /** Takes the code off the screen; a phone that holds it is refused. */
  cancel(): void {
    const attempt = this.#attempt;
    this.#attempt = undefined;
    if (attempt !== undefined) void this.#dismiss(attempt);
    if (this.#state.phase !== 'idle') this.#set({ phase: 'idle' });
  }

  /** Message 1 of a phone, on a session `pair:<pair_id>`. */
  async onRequest(frame: SessionRequest): Promise<void> {
    const attempt = this.#attempt;
    if (attempt === undefined || frame.session_id !== pairingSession(attempt.pairId)) {
      this.#refuse(frame);
      return;
    }
    const message1 = decodeBase64(frame.ios_epk);
    if (message1 === undefined) {
      this.#refuse(frame);
      return;
    }
    if (
      attempt.message1 !== undefined &&
      equalBytes(attempt.message1, message1) &&
      attempt.message2 !== undefined
    ) {
      this.#accept(frame, attempt.message2);
      return;
    }
    const answered = await respond(this.#ports.crypto, {
      kind: 'pair',
      bridgeId: this.#ports.identity.bridgeId,
      instanceId: this.#ports.instance,
      sessionId: frame.session_id,
      bridgeKey: this.#ports.identity.dhKey,
      message1,
      pskFor: () => attempt.secret,
      isChannelTaken: () => false,
    });
    // An invalid message never burns the secret; a valid one does, so a second phone is refused and told at the desk.
    if (!answered.ok || this.#attempt !== attempt || attempt.message1 !== undefined) {
      this.#refuse(frame);
      return;
    }
    attempt.message1 = message1;
    attempt.message2 = answered.value.message2;
    attempt.secrets = answered.value.secrets;
    attempt.channel = await SecureChannel.create({
      crypto: this.#ports.crypto,
      clock: this.#ports.clock,
      side: 'bridge',
      sessionId: frame.session_id,
      deviceId: '',
      secrets: answered.value.secrets,
    });
    this.#accept(frame, attempt.message2);
  }

  /** A frame of the phone that pairs. */
  async onControl(envelope: ControlEnvelope): Promise<void> {
    const attempt = this.#attempt;
    if (attempt?.channel === undefined) return;
    const opened = await openText(attempt.channel, envelope);
    if (!opened.ok) {
      if (opened.code !== 'drop') this.#end({ phase: 'failed', reason: 'phone_left' });
      return;
    }
    const confirm = pairConfirm.safeParse(jsonValue(opened.value));
    if (!confirm.success || attempt.confirm !== undefined || this.#state.phase !== 'waiting') return;
    attempt.confirm = confirm.data;
    this.#set({ phase: 'code', phoneName: confirm.data.name, refused: this.#state.refused });
  }

  /** The relay turned a phone away that came with a used or expired link. */
  onRefusedAtRelay(): void {
    this.#countRefused();
  }

  dispose(): void {
    this.cancel();
    this.#disposables.dispose();
  }

  #accept(frame: SessionRequest, message2: Uint8Array): void {
    const { session_id, request_id } = frame;
    const bridge_epk = base64.encode(message2);
    this.#ports.send({ type: 'session_accept', session_id, request_id, bridge_epk, generation: 0 });
  }

  /** The same words whatever was wrong (protocol.md 2.5). */
  #refuse(frame: SessionRequest): void {
    const { session_id, request_id } = frame;
    this.#ports.send({ type: 'error', code: 'unauthorized', message: 'refused', session_id, request_id });
    this.#countRefused();
  }

  #countRefused(): void {
    this.#ports.logger.warn('pairing.refused');
    if (this.#state.phase === 'waiting' || this.#state.phase === 'code') {
      this.#set({ ...this.#state, refused: this.#state.refused + 1 });
    } else this.#refused.fire();
  }

  async #reply(attempt: PairingAttempt, outcome: PairOutcome): Promise<void> {
    if (attempt.channel === undefined) return;
    const json = JSON.stringify(outcome);
    const timeMs = this.#ports.clock.now();
    const sealed = await sealBlock(attempt.channel, { json, hint: 'control', replay: false, timeMs });
    if (sealed.ok) this.#ports.send(sealed.value);
  }

  #end(state: PairingState): void {
    const attempt = this.#attempt;
    if (attempt) void this.#ports.api.cancelPairing(attempt.pairId);
    this.#forget();
    this.#set(state);
  }

  /** Tells a phone that waits for the desk, then forgets it. */
  async #dismiss(attempt: PairingAttempt): Promise<void> {
    if (attempt.confirm !== undefined)
      await this.#reply(attempt, { type: 'pair_denied', code: 'unauthorized' });
    attempt.dispose();
    await this.#ports.api.cancelPairing(attempt.pairId);
  }

  #forget(): void {
    this.#attempt?.dispose();
    this.#attempt = undefined;
  }

  #set(state: PairingState): void {
    this.#state = state;
    this.#changed.fire(state);
  }
}

export function isPairingSession(session: SessionId): boolean {
  return session.startsWith('pair:');
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
