import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { keeperTrace, type KeeperTrace } from '../keeper/keeperMessage.ts';
import { endOrphan } from './endOrphan.ts';

/** What a keeper left beside its spec; undefined when there is nothing that can be read. */
export function readTrace(directory: string): KeeperTrace | undefined {
  try {
    const parsed = keeperTrace.safeParse(jsonValue(readFileSync(join(directory, 'trace.json'), 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Ends a keeper that cannot be talked to, and its program: it does not answer, or speaks another version and its user wants it
 * ended. Nobody could tell what it writes, and it must not go on beside the next one. One that is still starting finds its folder gone, and ends by itself.
 */
export async function endKeeper(directory: string): Promise<void> {
  const trace = readTrace(directory);
  if (trace !== undefined) {
    await endOrphan(trace.keeperPid, trace.keeperStart);
    await endOrphan(trace.agentPid, trace.agentStart, basename(directory));
  }
  rmSync(directory, { recursive: true, force: true });
}
