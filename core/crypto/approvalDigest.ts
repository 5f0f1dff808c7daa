import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './canonicalJson.ts';
import type { CryptoPort } from './cryptoPort.ts';

/** The exact action that an approval is for, with its full, untruncated input. Wire names: they enter the digest. */
export interface ApprovalAction {
  readonly agent_id: string;
  readonly session_id: string;
  readonly turn_id: string;
  readonly tool: string;
  /** Any JSON value. */
  readonly input: unknown;
  readonly cwd: string;
}

/**
 * Binds an answer to what will run: lower-case hex of SHA-256 over the canonical JSON of the action. Source: rule K20.
 *
 * @returns nothing when the action has no canonical form; it must then not be approvable
 */
export function approvalDigest(
  port: Pick<CryptoPort, 'sha256'>,
  { agent_id, session_id, turn_id, tool, input, cwd }: ApprovalAction,
): string | undefined {
  if (input === undefined) return undefined;
  const json = canonicalJson({ agent_id, session_id, turn_id, tool, input, cwd });
  return json === undefined ? undefined : bytesToHex(port.sha256(utf8ToBytes(json)));
}
