import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { keeperSpec, type KeeperSpec } from './keeperMessage.ts';

/**
 * How to reach a keeper, by its own folder; undefined when it is gone.
 *
 * @param directory the keeper's own
 */
export function readSpec(directory: string): Pick<KeeperSpec, 'token' | 'socketPath'> | undefined {
  try {
    const spec = keeperSpec.safeParse(jsonValue(readFileSync(join(directory, 'spec.json'), 'utf8')));
    return spec.success ? spec.data : undefined;
  } catch {
    return undefined;
  }
}
