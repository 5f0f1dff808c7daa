import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';

/** Versions that no editor of this machine has used for so long are removed, in milliseconds. */
const keptMs = 60 * 24 * 3_600_000;

/**
 * Copies the keeper to a place that an update of the extension does not touch: terminals that the editor brings back run
 * the same command again, and it must still be there. Each content has a folder of its own, made whole or not at all.
 *
 * @param source folder with `keeper.cjs` and `node-pty/`
 * @param target owner-only folder of this machine's state
 * @returns path of the keeper's program
 * @throws when nothing can be written there
 */
export function installKeeper(source: string, target: string, now: number): string {
  const bundle = readFileSync(join(source, 'keeper.cjs'));
  const library = readFileSync(join(source, 'node-pty', 'package.json'));
  const platform = `${process.platform}-${process.arch}`;
  const version = createHash('sha256').update(bundle).update(library).update(platform).digest('hex');
  const directory = join(target, version.slice(0, 16));
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const program = join(directory, 'keeper.cjs');
  // One that was removed in part, by an interrupted clean-up or a hand, would fail for ever.
  const isWhole = (): boolean =>
    existsSync(program) && existsSync(join(directory, 'node-pty', 'package.json'));
  if (!isWhole()) {
    rmSync(directory, { recursive: true, force: true });
    const temporary = join(target, `.${randomBytes(6).toString('hex')}`);
    mkdirSync(temporary, { mode: 0o700 });
    const prebuilds = join(source, 'node-pty', 'prebuilds');
    try {
      cpSync(join(source, 'keeper.cjs'), join(temporary, 'keeper.cjs'));
      cpSync(join(source, 'node-pty'), join(temporary, 'node-pty'), {
        recursive: true,
        // Binaries of other systems are of no use here.
        filter: path => !path.startsWith(join(prebuilds, '/')) || path.startsWith(join(prebuilds, platform)),
      });
      renameSync(temporary, directory);
    } catch (error) {
      rmSync(temporary, { recursive: true, force: true });
      // Another window was faster, with the same content.
      if (!isWhole()) throw error;
    }
  }
  utimesSync(directory, now / 1000, now / 1000);
  removeUnused(target, now);
  return program;
}

function removeUnused(target: string, now: number): void {
  for (const name of readdirSync(target)) {
    const status = statSync(join(target, name), { throwIfNoEntry: false });
    if (status !== undefined && now - status.mtimeMs > keptMs)
      rmSync(join(target, name), { recursive: true, force: true });
  }
}
