import type { Logger } from '../../core/base/logger.ts';
import type { SessionId } from '../../core/protocol/ids.ts';
import { takeProcessLease, type ProcessLease } from '../../platform/node/files/processLease.ts';

/**
 * Takes the right to write a session.
 *
 * @returns undefined when another process holds it, or when there is no room on the disk for it: it can be taken later
 */
export function tryToTakeLease(path: string, session: SessionId, logger: Logger): ProcessLease | undefined {
  try {
    return takeProcessLease(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    logger.warn('session.not_taken', { session, code });
    return undefined;
  }
}
