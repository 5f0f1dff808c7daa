import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const CRYPTO = new URL('../../../core/crypto/', import.meta.url);
/** Files that hold a cipher, a handshake or a channel. */
const DECRYPTING =
  /(aead|cryptoPort|noise|handshake|symmetricState|frameOpener|frameSealer|secureChannel|rekey|group|pairing)/i;

/** Every module that the file imports, and theirs, as addresses of files or names of packages. */
function closure(file: string, seen = new Set<string>()): Set<string> {
  const address = new URL(file, CRYPTO).href;
  if (seen.has(address)) return seen;
  seen.add(address);
  const { importedFiles } = ts.preProcessFile(readFileSync(new URL(address), 'utf8'));
  for (const { fileName } of importedFiles) {
    if (fileName.startsWith('.')) closure(new URL(fileName, address).href, seen);
    else seen.add(fileName);
  }
  return seen;
}

/** The last part of an address or a package name. */
const baseName = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

describe('what the relay imports of the cryptography [T15]', () => {
  for (const entry of ['verify.ts', 'envMac.ts', 'relayOrigin.ts', 'linkPort.ts']) {
    it(`cannot decrypt by way of ${entry}`, () => {
      for (const name of closure(entry)) {
        assert.doesNotMatch(baseName(name), DECRYPTING);
        assert.ok(!name.startsWith('@noble/ciphers') && !name.startsWith('@noble/curves'), name);
      }
    });
  }

  it('would notice a file that can', () => {
    assert.ok([...closure('secureChannel.ts')].some(name => DECRYPTING.test(baseName(name))));
    assert.ok(closure('verify.ts').size > 5);
  });
});
