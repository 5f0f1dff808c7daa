import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..', '..');

/**
 * The keeper as it is shipped, for what its memory is measured by: from its sources it takes twice as much.
 *
 * @param folder an empty one, removed by whoever made it
 * @returns path of the program
 */
export async function bundleKeeper(folder: string): Promise<string> {
  const outfile = join(folder, 'keeper.cjs');
  await build({
    entryPoints: [join(root, 'src/keeper/main.ts')],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // It has native parts, which are found beside it.
    external: ['node-pty'],
    logLevel: 'warning',
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return outfile;
}
