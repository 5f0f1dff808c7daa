import type { RunningAgent } from '../adapters/agent.ts';
import { startFailureText } from './agentText.ts';
import type { SessionPorts } from './sessionPorts.ts';
import type { SessionRecord } from './sessionRecord.ts';

/**
 * Starts the agent, and tells why when that fails.
 *
 * @param isOver nobody wants it any more: it is ended again
 */
export async function startAgent(
  record: SessionRecord,
  ports: Pick<SessionPorts, 'startAgent'>,
  isOver: () => boolean,
): Promise<RunningAgent | undefined> {
  const started = await ports.startAgent();
  if (!started.ok) {
    record.appendError(started.code, startFailureText(started.code), undefined);
    return undefined;
  }
  if (!isOver()) return started.value;
  started.value.stop();
  return undefined;
}
