import { base64 } from '@scure/base';
import type { Clock } from '../../core/base/clock.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { openText, sealControl } from '../../core/channel/channelFrame.ts';
import { initiate } from '../../core/crypto/handshake.ts';
import type { CryptoPort } from '../../core/crypto/cryptoPort.ts';
import type { PairingInvitation } from '../../core/crypto/pairingFragment.ts';
import { pairingCode, sessionPsk } from '../../core/crypto/pairingSecrets.ts';
import { SecureChannel } from '../../core/crypto/secureChannel.ts';
import { isPinnedIdentity } from '../../core/crypto/verify.ts';
import { decodeBase64 } from '../../core/protocol/base64.ts';
import type { PairConfirm } from '../../core/protocol/control/pairConfirm.ts';
import { bridgeId, instanceId, pairId, pairingSession, requestId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import { pairOutcome, type PairOutcome } from '../../core/protocol/pairOutcome.ts';
import { unwrapDeviceKey } from '../../platform/web/deviceKey.ts';
import type { DeviceKeys, PairingRecord } from '../storage/pairingRecord.ts';
import { PairingSocket } from './pairingSocket.ts';
import { claimPairing } from './relayHttp.ts';

/** Why a phone was not paired. `refused` says the same for a wrong, a used and an expired link. */
export type PairFailure = 'refused' | 'identity' | 'offline' | 'rate_limited' | 'denied' | 'cancelled';

export interface PairPorts {
  readonly platform: Crypto;
  readonly crypto: CryptoPort;
  readonly clock: Clock;
  readonly keys: DeviceKeys;
  readonly phoneName: string;
  /** The desk is to type this. */
  readonly showCode: (code: string) => void;
  readonly signal: AbortSignal;
}

/** Pairs this phone with the machine whose code was scanned (protocol.md 2.3, steps 3 to 7). */
export async function pairPhone(
  invitation: PairingInvitation,
  ports: PairPorts,
): Promise<Result<PairingRecord, PairFailure>> {
  const { crypto, clock, keys } = ports;
  const pair = pairId.safeParse(invitation.pairId);
  if (!pair.success) return fail('refused');
  const sessionId = pairingSession(pair.data);
  const started = await initiate(crypto, {
    kind: 'pair',
    bridgeId: invitation.bridgeId,
    instanceId: invitation.instanceId,
    sessionId,
    deviceKey: await unwrapDeviceKey(ports.platform, keys.dhKey),
    bridgePublicKey: invitation.bridgePublicKey,
    psk: invitation.secret,
  });
  if (!started.ok) return fail('identity');
  const ticket = await claimPairing(invitation.relay, pair.data);
  if (!ticket.ok) {
    if (ticket.code === 'offline' || ticket.code === 'rate_limited') return fail(ticket.code);
    return fail('refused');
  }
  const deadline = AbortSignal.any([ports.signal, AbortSignal.timeout(limits.pairingMs)]);
  const socket = await PairingSocket.open(invitation.relay, ticket.value, deadline);
  if (socket === undefined) return fail(ports.signal.aborted ? 'cancelled' : 'offline');
  try {
    const request_id = requestId.parse('pair');
    socket.send({
      type: 'session_request',
      instance_id: instanceId.parse(invitation.instanceId),
      session_id: sessionId,
      request_id,
      ios_epk: base64.encode(started.value.message1),
    });
    const accepted = await socket.next();
    if (accepted?.type !== 'session_accept') return fail(ports.signal.aborted ? 'cancelled' : 'refused');
    const message2 = decodeBase64(accepted.bridge_epk);
    const secrets = message2 === undefined ? fail('unauthorized') : await started.value.finish(message2);
    if (!secrets.ok) return fail('identity');
    const channel = await SecureChannel.create({
      crypto,
      clock,
      side: 'app',
      sessionId,
      deviceId: '',
      secrets: secrets.value,
    });
    const confirm: PairConfirm = {
      type: 'pair_confirm',
      request_id,
      K_d: base64.encode(keys.identity.publicKey),
      name: ports.phoneName,
    };
    const sealed = await sealControl(channel, JSON.stringify(confirm), clock.now());
    if (!sealed.ok) return fail('refused');
    socket.send(sealed.value);
    ports.showCode(pairingCode(crypto, secrets.value));
    const outcome = await nextOutcome(socket, channel);
    if (outcome === undefined) return fail(ports.signal.aborted ? 'cancelled' : 'denied');
    if (outcome.type === 'pair_denied') return fail('denied');
    const identity = decodeBase64(outcome.K_b);
    if (identity === undefined || !isPinnedIdentity(crypto, invitation.bridgeIdentityHash, identity)) {
      return fail('identity');
    }
    return ok({
      bridgeId: bridgeId.parse(invitation.bridgeId),
      machine: outcome.machine,
      relay: invitation.relay,
      deviceId: outcome.device_id,
      role: outcome.role,
      keys,
      keySince: clock.now(),
      bridgePublicKey: invitation.bridgePublicKey,
      sessionPsk: sessionPsk(crypto, invitation.secret, secrets.value),
      accessToken: outcome.access_token,
      refreshToken: outcome.refresh_token,
      accessExpiresAt: clock.now() + limits.accessTokenMs,
      pairedAt: clock.now(),
    });
  } finally {
    socket.dispose();
  }
}

async function nextOutcome(socket: PairingSocket, channel: SecureChannel): Promise<PairOutcome | undefined> {
  for (;;) {
    const frame = await socket.next();
    if (frame?.type !== 'block') return undefined;
    const opened = await openText(channel, frame);
    if (!opened.ok) continue;
    const outcome = pairOutcome.safeParse(jsonValue(opened.value));
    if (outcome.success) return outcome.data;
  }
}
