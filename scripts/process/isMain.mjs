import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** True when the module with this `import.meta.url` is the program that was started, also through a symbolic link. */
export function isMain(moduleUrl) {
  const program = process.argv[1];
  return program !== undefined && pathToFileURL(realpathSync(program)).href === moduleUrl;
}
