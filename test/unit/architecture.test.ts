import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..', '..');

/** Layer → layers that it may import besides itself, and npm packages. First match wins, so files come before folders. */
const layers: readonly (readonly [path: string, layers: readonly string[], packages: readonly string[]])[] = [
  ['core/base/', [], []],
  // The keeper makes pictures of a screen and the phone draws them: the one thing of the protocol that a keeper knows.
  ['core/protocol/screenPicture.ts', [], ['zod/mini']],
  ['core/protocol/', ['core/base/', 'core/protocol/screenPicture.ts'], ['zod/mini', '@scure/base']],
  // What the relay may know of cryptography: byte layout, hashes, signatures. No cipher and no handshake among it.
  ...['byteLayout', 'envelope', 'hkdf', 'linkPort', 'relayOrigin', 'serverTime', 'envMac', 'verify'].map(
    name =>
      [
        `core/crypto/${name}.ts`,
        ['core/base/', 'core/crypto/link'],
        ['@noble/hashes', '@scure/base'],
      ] as const,
  ),
  [
    'core/crypto/',
    ['core/base/', 'core/protocol/', 'core/crypto/link'],
    ['zod/mini', '@noble/hashes', '@noble/curves', '@noble/ciphers', '@scure/base'],
  ],
  [
    'core/channel/',
    ['core/base/', 'core/protocol/', 'core/crypto/', 'core/crypto/link'],
    ['@noble/hashes', '@scure/base'],
  ],
  ...['nodeLink', 'nodeHash', 'nodeKeys', 'systemClock'].map(
    name =>
      [
        `platform/node/${name}.ts`,
        ['core/base/', 'core/crypto/link', 'platform/node/link'],
        ['node:', '@noble/hashes'],
      ] as const,
  ),
  ['platform/node/files/', ['core/base/'], ['node:', 'zod/mini']],
  [
    'platform/node/',
    ['core/base/', 'core/crypto/', 'core/crypto/link', 'platform/node/link'],
    ['node:', '@noble/hashes'],
  ],
  ['platform/web/', ['core/base/', 'core/crypto/', 'core/crypto/link'], ['@noble/hashes', '@noble/curves']],
  [
    'src/keeper/',
    ['core/base/', 'core/protocol/screenPicture.ts', 'platform/node/files/'],
    ['node:', 'zod/mini', 'node-pty', '@xterm/headless', '@xterm/addon-serialize'],
  ],
  ['src/adapters/', ['core/base/', 'core/protocol/', 'platform/node/files/'], ['node:', 'zod/mini']],
  [
    'src/terminal/',
    ['core/base/', 'core/protocol/screenPicture.ts', 'platform/node/files/', 'src/keeper/', 'src/adapters/'],
    ['node:', 'zod/mini'],
  ],
  ['src/demoAgent/', ['core/base/', 'core/protocol/', 'src/adapters/', 'src/terminal/'], ['node:']],
  [
    'src/session/',
    ['core/base/', 'core/protocol/', 'platform/node/files/', 'src/adapters/', 'src/terminal/'],
    ['node:', 'zod/mini'],
  ],
  [
    'src/relayClient/',
    ['core/base/', 'core/protocol/', 'core/crypto/', 'core/crypto/link', 'core/channel/'],
    ['node:', 'zod/mini', 'ws', '@scure/base'],
  ],
  [
    'src/bridge/',
    [
      'core/base/',
      'core/protocol/',
      'core/protocol/screenPicture.ts',
      'core/crypto/',
      'core/crypto/link',
      'core/channel/',
      'platform/node/',
      'platform/node/files/',
      'platform/node/link',
      'src/adapters/',
      'src/session/',
      'src/relayClient/',
      'src/terminal/',
    ],
    ['node:', 'zod/mini', '@scure/base'],
  ],
  ['src/webview/messages.ts', [], ['zod/mini']],
  ['src/webview/ui/', ['src/webview/messages.ts'], ['preact', '@preact/signals', 'zod/mini']],
  ['src/webview/', ['core/base/', 'src/webview/messages.ts', 'src/bridge/'], ['node:', 'vscode', 'qrcode']],
  [
    'src/host/',
    [
      'core/base/',
      'core/protocol/',
      'platform/node/link',
      'src/adapters/',
      'src/bridge/',
      'src/relayClient/',
      'src/terminal/',
      'src/webview/',
    ],
    ['node:', 'vscode'],
  ],
  ['src/extension.ts', ['src/host/'], ['vscode']],
  [
    'relay/',
    ['core/base/', 'core/protocol/', 'core/crypto/link', 'platform/node/link', 'package.json'],
    [
      'node:',
      'zod/mini',
      'ws',
      'hono',
      '@hono/node-server',
      'kysely',
      'pino',
      // Signed tokens only: what else the package has encrypts.
      'jose/jwt/sign',
      'jose/jwt/verify',
      'jose/jwk/thumbprint',
    ],
  ],
  [
    'phone/',
    [
      'core/base/',
      'core/protocol/',
      'core/protocol/screenPicture.ts',
      'core/crypto/',
      'core/crypto/link',
      'core/channel/',
      'platform/web/',
    ],
    ['zod/mini', 'preact', '@preact/signals', 'marked', 'idb', '@scure/base', '@noble/hashes'],
  ],
];

const linkNames =
  /^core\/crypto\/(byteLayout|envelope|hkdf|linkPort|relayOrigin|serverTime|envMac|verify)\.ts$/;
const nodeLinkNames = /^platform\/node\/(nodeLink|nodeHash|nodeKeys|systemClock)\.ts$/;

function layerOf(file: string): string | undefined {
  if (linkNames.test(file)) return 'core/crypto/link';
  if (nodeLinkNames.test(file)) return 'platform/node/link';
  return layers.find(([path]) => file.startsWith(path))?.[0] ?? (file === 'package.json' ? file : undefined);
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => `${folder}/${name.split(sep).join('/')}`);
}

const files = ['core', 'platform', 'src', 'relay', 'phone'].flatMap(sourceFiles);
const imports = new Map(
  files.map(file => [
    file,
    ts
      .preProcessFile(readFileSync(join(root, file), 'utf8'), true, true)
      .importedFiles.map(found => found.fileName),
  ]),
);

function target(file: string, name: string): string {
  return relative(root, join(root, dirname(file), name))
    .split(sep)
    .join('/');
}

function allowedPackage(name: string, packages: readonly string[]): boolean {
  if (!name.startsWith('node:') && builtinModules.includes(name)) return false;
  return packages.some(
    allowed => name === allowed || name.startsWith(allowed.endsWith(':') ? allowed : `${allowed}/`),
  );
}

describe('the architecture [M1] [M12] [C7]', () => {
  it('sees the whole tree', () => {
    assert.ok(files.length > 150, `saw ${String(files.length)} files`);
    assert.deepEqual(
      files.filter(file => layerOf(file) === undefined),
      [],
      'files in no layer',
    );
  });

  it('imports only downwards, and only packages that a layer is allowed', () => {
    const broken: string[] = [];
    for (const [file, names] of imports) {
      const own = layerOf(file);
      const rule = layers.find(([path]) => file.startsWith(path));
      if (rule === undefined) continue;
      const [, allowedLayers, packages] = rule;
      for (const name of names) {
        if (!name.startsWith('.')) {
          if (!allowedPackage(name, packages)) broken.push(`${file} imports ${name}`);
          continue;
        }
        const found = target(file, name);
        if (/\.css$|\.svg$/.test(found)) continue;
        const layer = layerOf(found);
        if (!existsSync(join(root, found))) broken.push(`${file} imports ${found}, which is not there`);
        else if (layer !== own && (layer === undefined || !allowedLayers.includes(layer)))
          broken.push(`${file} imports ${found}`);
      }
    }
    assert.deepEqual(broken, []);
  });

  it('has no cycle', () => {
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      assert.ok(!path.includes(file), `cycle: ${[...path, file].join(' → ')}`);
      if (done.has(file)) return;
      for (const name of imports.get(file) ?? [])
        if (name.startsWith('.')) visit(target(file, name), [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
  });

  it('keeps every cipher and handshake out of the relay [C2] [C18] [T15]', () => {
    const seen = new Set<string>();
    const walk = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const name of imports.get(file) ?? []) {
        assert.doesNotMatch(name, /ciphers|curves/, `${file} imports ${name}`);
        if (name.startsWith('.')) walk(target(file, name));
      }
    };
    for (const file of files.filter(name => name.startsWith('relay/'))) walk(file);
    const secret = [...seen].filter(file =>
      /aead|noise|handshake|secureChannel|frameOpener|frameSealer|nodeCrypto/i.test(file),
    );
    assert.deepEqual(secret, []);
    assert.ok(seen.has('core/crypto/envMac.ts'), 'the walk reached the link code');
  });

  it('names no file after nothing in particular, and keeps files short', () => {
    const vague = files.filter(file => /(utils?|helpers?|common|misc|manager|index)\.tsx?$/i.test(file));
    assert.deepEqual(vague, []);
    const long = files.filter(file => readFileSync(join(root, file), 'utf8').split('\n').length > 301);
    assert.deepEqual(long, []);
  });
});
