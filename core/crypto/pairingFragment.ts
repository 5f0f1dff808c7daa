import { utf8ToBytes } from '@noble/hashes/utils.js';
import { base64urlnopad, utf8 } from '@scure/base';
import * as z from 'zod/mini';
import { fail, ok, type Result } from '../base/result.ts';
import {
  bridgeId,
  instanceId,
  pairId,
  type BridgeId,
  type InstanceId,
  type PairId,
} from '../protocol/ids.ts';
import { canonicalJson } from './canonicalJson.ts';
import { relayOrigin } from './relayOrigin.ts';

/** Longest fragment that is looked at; a real one is under 700 characters. */
export const MAX_FRAGMENT_CHARS = 4096;

/** What a pairing QR code says. It lives 120 s and serves once. */
export interface PairingInvitation {
  /** The relay's socket URL, ws or wss. */
  readonly relay: string;
  readonly bridgeId: BridgeId;
  readonly instanceId: InstanceId;
  readonly pairId: PairId;
  /** S_b, 32 bytes. */
  readonly bridgePublicKey: Uint8Array;
  /** SHA-256(K_b), 32 bytes. */
  readonly bridgeIdentityHash: Uint8Array;
  /** 32 bytes; secret. */
  readonly secret: Uint8Array;
}

/** Why a scanned or pasted text is no invitation. */
export type FragmentRefusal =
  'too_long' | 'not_base64url' | 'not_json' | 'incompatible_version' | 'invalid_fields' | 'invalid_relay';

const key = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/));
const versionSchema = z.object({ v: z.number() });
const invitationSchema = z.strictObject({
  v: z.literal(1),
  relay: z.string().check(z.maxLength(512)),
  bridge_id: bridgeId,
  instance_id: instanceId,
  S_b: key,
  K_b_sha256: key,
  pair_id: pairId,
  secret: key,
});

/** The part of the app's URL after `#`: base64url of the canonical JSON, binary fields base64url inside (rule K22). */
export function encodePairingFragment(invitation: PairingInvitation): string {
  const json = canonicalJson({
    v: 1,
    relay: invitation.relay,
    bridge_id: invitation.bridgeId,
    instance_id: invitation.instanceId,
    S_b: base64urlnopad.encode(invitation.bridgePublicKey),
    K_b_sha256: base64urlnopad.encode(invitation.bridgeIdentityHash),
    pair_id: invitation.pairId,
    secret: base64urlnopad.encode(invitation.secret),
  });
  if (json === undefined) throw new TypeError('an id holds a lone surrogate');
  return base64urlnopad.encode(utf8ToBytes(json));
}

/** @param text a fragment with or without its `#`, or a whole pasted link */
export function parsePairingFragment(text: string): Result<PairingInvitation, FragmentRefusal> {
  if (text.length > MAX_FRAGMENT_CHARS) return fail('too_long');
  const bytes = decode(text.slice(text.indexOf('#') + 1).trim());
  if (bytes === undefined) return fail('not_base64url');
  const json = parseJson(bytes);
  if (json === undefined) return fail('not_json');
  const version = versionSchema.safeParse(json);
  if (version.success && version.data.v !== 1) return fail('incompatible_version');
  const parsed = invitationSchema.safeParse(json);
  if (!parsed.success) return fail('invalid_fields');
  const { relay, bridge_id, instance_id, pair_id } = parsed.data;
  const bridgePublicKey = decode(parsed.data.S_b);
  const bridgeIdentityHash = decode(parsed.data.K_b_sha256);
  const secret = decode(parsed.data.secret);
  if (bridgePublicKey === undefined || bridgeIdentityHash === undefined || secret === undefined) {
    return fail('invalid_fields');
  }
  if (relayOrigin(relay) === undefined) return fail('invalid_relay');
  return ok({
    relay,
    bridgeId: bridge_id,
    instanceId: instance_id,
    pairId: pair_id,
    bridgePublicKey,
    bridgeIdentityHash,
    secret,
  });
}

function decode(text: string): Uint8Array | undefined {
  try {
    return base64urlnopad.decode(text);
  } catch {
    return undefined;
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.encode(bytes));
  } catch {
    return undefined;
  }
}
