/** What no layer of these may import: [folder, module]. */
const forbidden = [
  ['core/', 'vscode'],
  ['core/', 'node:fs'],
  ['relay/', '@noble/ciphers/aes.js'],
  ['src/session/', 'vscode'],
  ['src/adapters/', 'ws'],
  ['phone/state/', 'node:net'],
];

/**
 * Mutants for tests that read sources and execute none: an import that the table of layers forbids, in a file drawn at random.
 *
 * @param {string[]} files
 * @returns {(import('./mutantsOf.mjs').Mutant & { own: number, others: number })[]}
 */
export function forbiddenImports(files, read, random) {
  return random.shuffle(forbidden).flatMap(([folder, module]) => {
    const [file] = random.shuffle(files.filter(name => name.startsWith(folder) && name.endsWith('.ts')));
    if (file === undefined) return [];
    const text = `import '${module}'; ${read(file)}`;
    return [{ file, at: 0, line: 1, kind: `import ${module}`, text, own: 0, others: 0 }];
  });
}
