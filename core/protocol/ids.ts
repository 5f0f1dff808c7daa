import * as z from 'zod/mini';

const idText = z.string().check(z.regex(/^[A-Za-z0-9_.:-]{1,128}$/));

/** Names one bridge identity: "b_" and a hash of its public key. */
export const bridgeId = idText.brand<'BridgeId'>();
export type BridgeId = z.infer<typeof bridgeId>;

/** 32 lower-case hex digits, drawn anew by every editor window (protocol.md K2). */
export const instanceId = z
  .string()
  .check(z.regex(/^[0-9a-f]{32}$/))
  .brand<'InstanceId'>();
export type InstanceId = z.infer<typeof instanceId>;

/** A conversation, or one of the reserved `ctl:<instance_id>` and `pair:<pair_id>`. */
export const sessionId = idText.brand<'SessionId'>();
export type SessionId = z.infer<typeof sessionId>;

/** Never begins with `grp_`: that prefix names group streams (protocol.md K13). */
export const deviceId = z
  .string()
  .check(z.regex(/^(?!grp_)[A-Za-z0-9_.:-]{1,128}$/))
  .brand<'DeviceId'>();
export type DeviceId = z.infer<typeof deviceId>;

export const pairId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{16,64}$/))
  .brand<'PairId'>();
export type PairId = z.infer<typeof pairId>;

export const requestId = idText.brand<'RequestId'>();
export type RequestId = z.infer<typeof requestId>;

export const agentId = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9-]{0,63}$/))
  .brand<'AgentId'>();
export type AgentId = z.infer<typeof agentId>;

export const blockId = idText.brand<'BlockId'>();
export type BlockId = z.infer<typeof blockId>;

export const turnId = idText.brand<'TurnId'>();
export type TurnId = z.infer<typeof turnId>;

/** Names content that is too large for a block, to be fetched in pieces. */
export const contentId = idText.brand<'ContentId'>();
export type ContentId = z.infer<typeof contentId>;

/** The reserved session in which a window lists and opens its sessions. */
export function controlSession(instance: InstanceId): SessionId {
  return sessionId.parse(`ctl:${instance}`);
}

/** The reserved session in which a phone pairs. */
export function pairingSession(pair: PairId): SessionId {
  return sessionId.parse(`pair:${pair}`);
}
