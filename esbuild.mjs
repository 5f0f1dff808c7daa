// Builds every bundle: extension, keeper, demo agent, relay, pairing panel and phone app.
// `--production` minifies; `--watch` rebuilds on change.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { copyTerminalLibrary, terminalLibraryPlugin } from './scripts/build/terminalLibrary.mjs';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const dist = 'dist';
const phone = join(dist, 'phone');

const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};
const node = { ...common, platform: 'node', target: 'node20' };
const browser = {
  ...common,
  platform: 'browser',
  format: 'esm',
  target: ['es2022', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

// An ES module bundle has no `require`, which bundled CommonJS packages use for Node's own modules.
const requireBanner = {
  js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
};

const builds = [
  {
    ...node,
    format: 'cjs',
    entryPoints: ['src/extension.ts'],
    outfile: join(dist, 'extension.cjs'),
    external: ['vscode'],
  },
  {
    ...node,
    format: 'cjs',
    entryPoints: ['src/keeper/main.ts'],
    outfile: join(dist, 'keeper.cjs'),
    plugins: [terminalLibraryPlugin],
  },
  { ...node, format: 'cjs', entryPoints: ['src/demoAgent/main.ts'], outfile: join(dist, 'demoAgent.cjs') },
  {
    ...node,
    target: 'node22',
    format: 'esm',
    entryPoints: ['relay/main.ts'],
    outfile: join(dist, 'relay.mjs'),
    banner: requireBanner,
  },
  {
    ...browser,
    entryPoints: { pairing: 'src/webview/ui/main.tsx' },
    outdir: join(dist, 'webview'),
    plugins: [],
  },
  {
    ...browser,
    entryPoints: {
      main: 'phone/app/main.tsx',
      icon: 'phone/app/icon.svg',
      'icon-192': 'phone/app/icon-192.png',
      'icon-512': 'phone/app/icon-512.png',
    },
    outdir: join(phone, 'assets'),
    loader: { '.svg': 'copy', '.png': 'copy' },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    splitting: true,
    sourcemap: false,
    plugins: [{ name: 'phone-page', setup: build => build.onEnd(writePhonePage) }],
  },
];

// The panel's styles are a file of their own: its content security policy allows none inline.
const pairingStyle = {
  ...common,
  entryPoints: { pairing: 'src/webview/ui/pairing.css' },
  outdir: join(dist, 'webview'),
  loader: { '.ttf': 'file' },
  assetNames: '[name]',
};

/** Writes the page, the manifest and the service worker with the hashed names, and compressed copies of everything. */
async function writePhonePage(result) {
  if (result.errors.length > 0) return;
  const files = Object.entries(result.metafile.outputs);
  const outputOf = source => {
    const found = files.find(([, { entryPoint, inputs }]) => entryPoint === source || source in inputs);
    if (found === undefined) throw new Error(`the phone app has no ${source}`);
    return found;
  };
  const asset = path => `/${path.slice(phone.length + 1).replaceAll('\\', '/')}`;
  const [script, { cssBundle }] = files.find(([, output]) => output.entryPoint === 'phone/app/main.tsx');
  const hash = createHash('sha256');
  for (const [path] of files.toSorted(([a], [b]) => a.localeCompare(b))) hash.update(readFileSync(path));
  hash.update(readFileSync('phone/app/index.html')).update(readFileSync('phone/sw/serviceWorker.ts'));
  const build = hash.digest('hex').slice(0, 12);
  const names = {
    SCRIPT: asset(script),
    STYLE: asset(cssBundle),
    ICON: asset(outputOf('phone/app/icon.svg')[0]),
    ICON192: asset(outputOf('phone/app/icon-192.png')[0]),
    ICON512: asset(outputOf('phone/app/icon-512.png')[0]),
    BUILD: build,
  };
  for (const name of ['index.html', 'manifest.webmanifest']) {
    const text = readFileSync(join('phone/app', name), 'utf8');
    writeFileSync(
      join(phone, name),
      text.replaceAll(/%([A-Z0-9]+)%/g, (_, key) => names[key]),
    );
  }
  const precache = [
    ...files.map(([path]) => asset(path)).filter(path => !path.endsWith('.map')),
    '/manifest.webmanifest',
  ];
  await esbuild.build({
    ...common,
    format: 'iife',
    target: browser.target,
    sourcemap: false,
    entryPoints: ['phone/sw/serviceWorker.ts'],
    outfile: join(phone, 'sw.js'),
    define: { PRECACHE: JSON.stringify(precache), BUILD: JSON.stringify(build) },
  });
  const all = [
    ...files.map(([name]) => name),
    ...['index.html', 'manifest.webmanifest', 'sw.js'].map(name => join(phone, name)),
  ];
  for (const path of all.filter(name => !name.endsWith('.png'))) {
    const content = readFileSync(path);
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(content));
  }
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(phone, 'assets'), { recursive: true });
copyTerminalLibrary(dist);
const all = [...builds, pairingStyle];
if (watch) {
  const contexts = await Promise.all(all.map(options => esbuild.context(options)));
  await Promise.all(contexts.map(context => context.watch()));
} else {
  const results = await Promise.all(all.map(options => esbuild.build(options)));
  if (production) {
    const outputs = Object.assign({}, ...results.map(result => result.metafile.outputs));
    for (const [path, { bytes }] of Object.entries(outputs))
      console.log(`${String(Math.ceil(bytes / 1024)).padStart(6)} KiB  ${path}`);
  }
}
