import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { base64 } from '@scure/base';
import * as z from 'zod/mini';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { bridgeIdOf } from '../../core/crypto/verify.ts';
import type { LinkPort } from '../../core/crypto/linkPort.ts';
import type { CryptoPort, DhKey } from '../../core/crypto/cryptoPort.ts';
import { base64Bytes } from '../../core/protocol/base64Text.ts';
import { bridgeId, type BridgeId } from '../../core/protocol/ids.ts';
import { nodeSigner, type IdentitySigner } from '../../platform/node/nodeSigner.ts';
import { withFileLock } from '../../platform/node/files/fileLock.ts';
import { readOwnerFile, writeOwnerFile } from '../../platform/node/files/ownerFile.ts';

const identityFile = z.object({
  v: z.literal(1),
  /** X25519 private key, and Ed25519 seed. */
  S_b: base64Bytes(32),
  K_b: base64Bytes(32),
});

/** The keys of this machine, shared by all of its windows (architecture D6). */
export interface BridgeIdentity {
  readonly bridgeId: BridgeId;
  /** S_b, for handshakes. */
  readonly dhKey: DhKey;
  /** K_b, for registering. */
  readonly signer: IdentitySigner;
}

/**
 * Loads the machine's keys, or makes them once.
 *
 * @throws when the file is damaged: a silent new identity would lock every paired phone out
 */
export async function loadBridgeIdentity(
  stateDirectory: string,
  crypto: CryptoPort,
  link: Pick<LinkPort, 'sha256'>,
): Promise<BridgeIdentity> {
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
  const path = join(stateDirectory, 'identity.json');
  const text =
    readOwnerFile(path) ??
    (await withFileLock(`${path}.lock`, () => {
      const made = readOwnerFile(path);
      if (made !== undefined) return made;
      const fresh = {
        v: 1,
        S_b: randomBytes(32).toString('base64'),
        K_b: randomBytes(32).toString('base64'),
      };
      writeOwnerFile(path, JSON.stringify(fresh));
      return JSON.stringify(fresh);
    }));
  const parsed = identityFile.safeParse(jsonValue(text));
  if (!parsed.success)
    throw new Error(`${path} is damaged. Restore it, or delete it and pair every phone again.`);
  const signer = nodeSigner(base64.decode(parsed.data.K_b));
  return {
    bridgeId: bridgeId.parse(bridgeIdOf(link, signer.publicKey)),
    dhKey: await crypto.importDhKey(base64.decode(parsed.data.S_b)),
    signer,
  };
}
