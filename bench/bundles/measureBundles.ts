import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../limits.ts';
import type { Measurement } from '../report/benchRow.ts';
import { firstLoad } from './firstLoad.ts';

const bytesPerKiB = 1024;

/** @param built folder of a production build, with the packed extension in it */
export function measureBundles(built: string): readonly Measurement[] {
  const sizeKiB = (...names: string[]): number => statSync(join(built, ...names)).size / bytesPerKiB;
  const phone = firstLoad(file => readFileSync(join(built, 'phone', file), 'utf8'));
  // The relay serves these copies to whoever accepts gzip; brotli, which it prefers, is smaller still.
  const phoneKiB = phone.reduce((sum, file) => sum + sizeKiB('phone', `${file}.gz`), 0);
  const entry = (name: string, value: number, limit: number, note: string): Measurement => ({
    name: `bundle.${name}`,
    value,
    unit: 'KiB',
    limit,
    note,
  });
  return [
    entry('extension', sizeKiB('extension.cjs'), limits.extensionKiB, 'extension.cjs, minified'),
    entry('keeper', sizeKiB('keeper.cjs'), limits.keeperKiB, 'keeper.cjs, minified'),
    entry('relay', sizeKiB('relay.mjs'), limits.relayKiB, 'relay.mjs, minified'),
    entry(
      'phoneFirstLoad',
      phoneKiB,
      limits.phoneFirstLoadKiB,
      `first visit of the phone app, gzip, ${String(phone.length)} files`,
    ),
    entry('vsix', sizeKiB('terminull.vsix'), limits.vsixKiB, 'the extension as it is installed'),
  ];
}
