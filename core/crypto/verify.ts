import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64urlnopad } from '@scure/base';
import { fail, ok, type Result } from '../base/result.ts';
import { equalBytes, labelBytes, lp, u32, u64 } from './byteLayout.ts';
import { deriveMacKey } from './envMac.ts';
import type { LinkDhKey, LinkPort } from './linkPort.ts';

/** The relay's half of a connection: what it sent as challenge, and under which name. */
export interface LinkChallenge {
  /** As `relayOrigin` gives it. */
  readonly relayOrigin: string;
  /** 32 bytes. */
  readonly nonce: Uint8Array;
}

/** The parsed fields of `register`; lists in frame order. */
export interface RegisterFields {
  readonly v: number;
  readonly bridgeId: string;
  readonly instanceId: string;
  readonly sigMode: 'mac' | 'ed25519';
  /** e_b, 32 bytes. */
  readonly bridgeEphemeral: Uint8Array;
  readonly resumableSessionIds: readonly string[];
  readonly agents: readonly string[];
}

/** What K_b signs at register. Source: rule K14. */
export function registerSignedBytes(
  challenge: LinkChallenge & { /** e_r, 32 bytes. */ readonly relayEphemeral: Uint8Array },
  fields: RegisterFields,
): Uint8Array {
  return concatBytes(
    labelBytes(' register'),
    lp(challenge.relayOrigin),
    challenge.nonce,
    challenge.relayEphemeral,
    u32(fields.v),
    lp(fields.bridgeId),
    lp(fields.instanceId),
    lp(fields.sigMode),
    fields.bridgeEphemeral,
    ...lpList(fields.resumableSessionIds),
    ...lpList(fields.agents),
  );
}

function lpList(ids: readonly string[]): Uint8Array[] {
  return [u32(ids.length), ...ids.map(lp)];
}

/**
 * The relay's check of a register: the signature first, then e_b (rule K14). Whether `bridgeIdentity` owns the
 * bridge id is `isBridgeIdOf`.
 *
 * @param relayKey the key whose public half was e_r
 * @returns the connection's MAC key, 32 bytes, in either sig mode
 */
export function verifyRegister(
  port: LinkPort,
  challenge: LinkChallenge,
  relayKey: LinkDhKey,
  bridgeIdentity: Uint8Array,
  fields: RegisterFields,
  sig: Uint8Array,
): Result<Uint8Array, 'unauthorized' | 'refused_key'> {
  if (fields.bridgeEphemeral.length !== 32) return fail('unauthorized');
  const signed = registerSignedBytes({ ...challenge, relayEphemeral: relayKey.publicKey }, fields);
  if (!port.ed25519Verify(bridgeIdentity, signed, sig)) return fail('unauthorized');
  const macKey = deriveMacKey(port, relayKey.dh(fields.bridgeEphemeral), signed);
  return macKey.ok ? ok(macKey.value) : macKey;
}

/** bridge_id of a K_b: "b_" and base64url(SHA-256(K_b)[0..16]). */
export function bridgeIdOf(port: Pick<LinkPort, 'sha256'>, bridgeIdentity: Uint8Array): string {
  return `b_${base64urlnopad.encode(port.sha256(bridgeIdentity).slice(0, 16))}`;
}

/** Whether `bridgeId` belongs to this K_b, so that a relay needs no first-come trust. */
export function isBridgeIdOf(
  port: Pick<LinkPort, 'sha256'>,
  bridgeId: string,
  bridgeIdentity: Uint8Array,
): boolean {
  return bridgeIdentity.length === 32 && bridgeId === bridgeIdOf(port, bridgeIdentity);
}

/** What K_d signs at hello: label " hello", lp(relay origin), nonce, lp(device_id). Source: rule K16. */
export function helloSignedBytes({ relayOrigin, nonce }: LinkChallenge, deviceId: string): Uint8Array {
  return concatBytes(labelBytes(' hello'), lp(relayOrigin), nonce, lp(deviceId));
}

/** @param deviceIdentity K_d, 65 bytes; @param proof r then s, 64 bytes */
export function verifyHello(
  port: LinkPort,
  challenge: LinkChallenge,
  deviceId: string,
  deviceIdentity: Uint8Array,
  proof: Uint8Array,
): boolean {
  return port.p256Verify(deviceIdentity, helloSignedBytes(challenge, deviceId), proof);
}

/** An owner's order to revoke a device while the bridge is away (rule K22). */
export interface RevocationStatement {
  readonly bridgeId: string;
  readonly revokedDeviceId: string;
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  /** 16 bytes; a statement is accepted once by it. */
  readonly nonce: Uint8Array;
}

/** What an owner's K_d signs to revoke: label " revoke", lp(bridge_id), lp(device_id), u64(ms), nonce. */
export function revocationSignedBytes(statement: RevocationStatement): Uint8Array {
  const { bridgeId, revokedDeviceId, timeMs, nonce } = statement;
  return concatBytes(labelBytes(' revoke'), lp(bridgeId), lp(revokedDeviceId), u64(timeMs), nonce);
}

/**
 * `cnf.jkt`: the RFC 7638 thumbprint of K_d as a P-256 JWK, base64url.
 *
 * @param deviceIdentity 65 bytes, uncompressed
 */
export function deviceThumbprint(port: Pick<LinkPort, 'sha256'>, deviceIdentity: Uint8Array): string {
  const x = base64urlnopad.encode(deviceIdentity.slice(1, 33));
  const y = base64urlnopad.encode(deviceIdentity.slice(33, 65));
  return base64urlnopad.encode(port.sha256(utf8ToBytes(`{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`)));
}

/** SHA-256(K_b), as pinned from the QR, against the K_b that `pair_done` brings. */
export function isPinnedIdentity(
  port: Pick<LinkPort, 'sha256'>,
  pinnedHash: Uint8Array,
  bridgeIdentity: Uint8Array,
): boolean {
  return equalBytes(port.sha256(bridgeIdentity), pinnedHash);
}

/** What K_d signs to refresh its tokens: label " refresh", lp(relay origin), lp(device_id), lp(refresh_token). */
export function refreshSignedBytes(origin: string, deviceId: string, refreshToken: string): Uint8Array {
  return concatBytes(labelBytes(' refresh'), lp(origin), lp(deviceId), lp(refreshToken));
}
