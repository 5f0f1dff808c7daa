import { rmSync } from 'node:fs';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { readOwnerFile, writeOwnerFile } from '../../platform/node/files/ownerFile.ts';
import { keeperAddress, type KeeperAddress } from '../terminal/keeperLauncher.ts';

/** Remembers how to find a session's keeper again, for as long as it runs. */
export class KeeperFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  write(address: KeeperAddress): void {
    writeOwnerFile(this.#path, JSON.stringify(address));
  }

  read(): KeeperAddress | undefined {
    const text = readOwnerFile(this.#path);
    const parsed = keeperAddress.safeParse(text === undefined ? undefined : jsonValue(text));
    return parsed.success ? parsed.data : undefined;
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
