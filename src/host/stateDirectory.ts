import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where this machine keeps keys, paired phones and journals: one folder for all windows and editors of a user, on the
 * host where agents run. `TERMINULL_HOME` moves it.
 */
export function stateDirectory(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const moved = environment.TERMINULL_HOME;
  return moved !== undefined && moved !== '' ? moved : join(homedir(), '.terminull');
}
