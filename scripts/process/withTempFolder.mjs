import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Runs `work` with a new folder in `parent` that is gone afterwards, also when the script is stopped. */
export async function withTempFolder(parent, prefix, work) {
  const folder = mkdtempSync(path.join(parent, prefix));
  const discard = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', discard);
  try {
    return await work(folder);
  } finally {
    process.off('exit', discard);
    discard();
  }
}
