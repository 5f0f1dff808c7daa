import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fail } from '../../core/base/result.ts';
import { agentId } from '../../core/protocol/ids.ts';
import type { AgentAdapter } from '../../src/adapters/agentAdapter.ts';
import { defineAdapter } from '../../src/adapters/defineAdapter.ts';

export const programAgent = agentId.parse('program');

/**
 * An agent that is only ever in its terminal, and says nothing about itself: a Node program.
 *
 * @param script its text
 */
export function createProgramAdapter(script: string): AgentAdapter {
  const command = { argv: [process.execPath, '-e', script], env: {} };
  return defineAdapter({
    agentId: programAgent,
    displayName: 'Program',
    capabilities: { thinking: false, permissions: false, interrupt: false, diffs: false, questions: false },
    providesModels: false,
    providesUsage: false,
    external: false,
    terminal: {
      newId: () => randomUUID(),
      command: () => command,
      openRecord: () => ({
        sourceId: 'nothing',
        end: 0,
        async *follow(_from, finished) {
          if (!finished.aborted) await once(finished, 'abort');
          yield* [];
        },
      }),
    },
    detect: () => Promise.resolve({ version: '1', command }),
    start: () => Promise.resolve(fail('agent_failed')),
  });
}
