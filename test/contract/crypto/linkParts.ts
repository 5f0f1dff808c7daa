import { x25519 } from '@noble/curves/ed25519.js';
import type { LinkDhKey } from '../../../core/crypto/linkPort.ts';
import { nobleDh } from '../../../core/crypto/nobleCrypto.ts';
import type { RegisterFields } from '../../../core/crypto/verify.ts';
import type { RegisterVector } from './vectorParts.ts';

/** A connection key with a given private half. */
export function linkKey(raw: Uint8Array): LinkDhKey {
  return { publicKey: x25519.getPublicKey(raw), dh: peer => nobleDh(raw, peer) };
}

/** A vector's register as its verifier takes it. */
export function registerFields(frame: RegisterVector): RegisterFields {
  return {
    v: frame.v,
    bridgeId: frame.bridge_id,
    instanceId: frame.instance_id,
    sigMode: frame.sig_mode,
    bridgeEphemeral: frame.e_b,
    resumableSessionIds: frame.resumable_session_ids,
    agents: frame.agents,
  };
}
