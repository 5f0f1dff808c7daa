import type { CryptoPort } from '../../../core/crypto/cryptoPort.ts';
import type { LinkPort } from '../../../core/crypto/linkPort.ts';
import { nobleCrypto } from '../../../core/crypto/nobleCrypto.ts';
import { nobleLink } from '../../../core/crypto/nobleLink.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import { nodeLink } from '../../../platform/node/nodeLink.ts';
import { webCrypto } from '../../../platform/web/webCrypto.ts';

/** Every implementation of the port; each must give every vector. */
export const cryptoPorts: readonly { readonly name: string; readonly port: CryptoPort }[] = [
  { name: 'node', port: nodeCrypto },
  { name: 'noble', port: nobleCrypto },
  { name: 'web', port: webCrypto(globalThis.crypto) },
];

/** Every implementation of the link port. */
export const linkPorts: readonly { readonly name: string; readonly port: LinkPort }[] = [
  { name: 'node', port: nodeLink },
  { name: 'noble', port: nobleLink },
];

/** A port that hands out given ephemerals, in order, so that a handshake repeats. */
export function withEphemerals(port: CryptoPort, ...privateKeys: readonly Uint8Array[]): CryptoPort {
  const left = [...privateKeys];
  return {
    ...port,
    generateDhKey() {
      const next = left.shift();
      if (next === undefined) throw new Error('more ephemerals were drawn than given');
      return port.importDhKey(next);
    },
  };
}
