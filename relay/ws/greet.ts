import * as z from 'zod/mini';
import { verifyHello, verifyRegister, isBridgeIdOf } from '../../core/crypto/verify.ts';
import type { LinkPort } from '../../core/crypto/linkPort.ts';
import type { CloseReason } from '../../core/protocol/closeCode.ts';
import { limits } from '../../core/protocol/limits.ts';
import { parseJson, type MessageFormat } from '../../core/protocol/parseJson.ts';
import { clientHello, register, type ClientHello, type Register } from '../../core/protocol/relayFrame.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import type { Clock } from '../../core/base/clock.ts';
import { relayLimits } from '../limits/relayLimits.ts';
import { TokenBucket } from '../limits/tokenBucket.ts';
import { thumbprintOf } from '../resume/resumePermits.ts';
import type { Endpoint, BridgeLink, PairingLink, PhoneLink } from '../routing/link.ts';
import type { Pairings } from '../routing/pairings.ts';
import { digestOf } from '../routing/token.ts';
import type { Registry } from '../store/registry.ts';
import type { Greeting } from './peer.ts';

/** What a first frame is checked against. */
export interface GreetPorts {
  readonly port: LinkPort;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly pairings: Pairings;
}

/** One connection as its first frame is checked. */
export interface Greeted {
  readonly greeting: Greeting;
  readonly endpoint: Endpoint;
  /** The names under which the peer may know this relay. */
  readonly origins: readonly string[];
}

export type FirstFrame = Register | ClientHello;
export type PairedHello = Extract<ClientHello, { device_id: unknown }>;

const format: MessageFormat<FirstFrame> = {
  schema: z.union([register, clientHello]),
  discriminator: 'type',
  known: new Set(['register', 'client_hello']),
};
const versioned = z.object({ v: z.number() });

/** Parses what a stranger says first. */
export function parseFirstFrame(text: string): Result<FirstFrame, CloseReason> {
  const parsed = parseJson(text, format, limits.helloBytes);
  if (parsed.ok) return parsed;
  if (parsed.code === 'frame_too_large') return fail('frame_too_large');
  if (parsed.code !== 'invalid_request') return fail('invalid_request');
  const said = versioned.safeParse(JSON.parse(text));
  return fail(said.success && said.data.v !== 1 ? 'incompatible_version' : 'invalid_request');
}

/**
 * Checks a register: that the id belongs to the key, then the signature, and only then the key agreement (rule K14).
 *
 * @param token the HTTP token that the window will get
 */
export function checkRegister(
  ports: GreetPorts,
  { greeting, endpoint, origins }: Greeted,
  frame: Register,
  token: string,
): Result<BridgeLink, CloseReason> {
  const identity = Buffer.from(frame.k_b, 'base64');
  if (!isBridgeIdOf(ports.port, frame.bridge_id, identity)) return fail('unauthorized');
  const fields = {
    v: frame.v,
    bridgeId: frame.bridge_id,
    instanceId: frame.instance_id,
    sigMode: frame.sig_mode,
    bridgeEphemeral: Buffer.from(frame.e_b, 'base64'),
    resumableSessionIds: frame.resumable_session_ids,
    agents: frame.agents,
  };
  const sig = Buffer.from(frame.sig, 'base64');
  for (const relayOrigin of origins) {
    const challenge = { relayOrigin, nonce: greeting.nonce };
    const checked = verifyRegister(ports.port, challenge, greeting.key, identity, fields, sig);
    if (!checked.ok && checked.code === 'unauthorized') continue;
    if (!checked.ok) return fail('unauthorized');
    const isMac = frame.sig_mode === 'mac';
    return ok({
      kind: 'bridge',
      endpoint,
      bridgeId: frame.bridge_id,
      instanceId: frame.instance_id,
      agents: frame.agents,
      authentication: isMac
        ? { mode: 'mac', macKey: checked.value }
        : { mode: 'ed25519', bridgeIdentity: identity },
      signedFrames: isMac ? undefined : new TokenBucket(relayLimits.signedFrames, ports.clock.monotonic()),
      tokenDigest: digestOf(token),
      connSeq: 0,
    });
  }
  return fail('unauthorized');
}

/** Checks a paired phone: its device, its token's time, and that it holds the device key (rule K16). */
export async function checkHello(
  ports: GreetPorts,
  { greeting, endpoint, origins }: Greeted,
  frame: PairedHello,
): Promise<Result<PhoneLink, CloseReason>> {
  const device = await ports.registry.findDevice(frame.device_id);
  if (device === undefined) return fail('unauthorized');
  const proof = Buffer.from(frame.proof, 'base64');
  const origin = origins.find(relayOrigin =>
    verifyHello(ports.port, { relayOrigin, nonce: greeting.nonce }, frame.device_id, device.deviceKey, proof),
  );
  if (origin === undefined) return fail('unauthorized');
  // Said only to the holder of the key: that the desk removed it.
  if (device.revokedAt !== undefined) return fail('revoked');
  const expiry = await ports.registry.accessExpiry(frame.device_id, digestOf(frame.access_token));
  if (expiry === undefined || ports.clock.now() >= expiry) return fail('unauthorized');
  const thumbprint = await thumbprintOf(device.deviceKey);
  const { bridgeId, deviceId } = device;
  return ok({ kind: 'phone', endpoint, bridgeId, deviceId, origin, thumbprint });
}

/** Checks a phone that pairs; its ticket is spent by this. */
export function checkTicket(
  ports: GreetPorts,
  endpoint: Endpoint,
  ticket: string,
): Result<PairingLink, CloseReason> {
  const pairing = ports.pairings.redeem(ticket);
  if (pairing === undefined) return fail('unauthorized');
  const { bridgeId, instanceId, pairId } = pairing;
  return ok({ kind: 'pairing', endpoint, bridgeId, instanceId, pairId });
}
