import { concatBytes } from '@noble/hashes/utils.js';
import { labelBytes, lp } from './byteLayout.ts';

/** What a handshake is bound to. Ids are their wire strings; `instanceId` is 32 lower-case hex digits (rule K2). */
export interface PrologueFields {
  readonly kind: 'pair' | 'session';
  readonly bridgeId: string;
  readonly instanceId: string;
  /** `pair:<pair_id>` when kind is 'pair'. */
  readonly sessionId: string;
}

/** Prologue = label, lp(kind), lp(bridge_id), lp(instance_id), lp(session_id). */
export function handshakePrologue({ kind, bridgeId, instanceId, sessionId }: PrologueFields): Uint8Array {
  return concatBytes(labelBytes(), lp(kind), lp(bridgeId), lp(instanceId), lp(sessionId));
}
