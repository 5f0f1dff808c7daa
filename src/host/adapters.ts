import { join } from 'node:path';
import type { AgentAdapter } from '../adapters/agent.ts';
import { createDemoAdapter } from '../adapters/demo/demoAdapter.ts';

/** The agents that this build knows. */
export function builtInAdapters(distDirectory: string): readonly AgentAdapter[] {
  return [
    createDemoAdapter({
      argv: [process.execPath, join(distDirectory, 'demoAgent.cjs')],
      // The editor's program runs scripts only when told to.
      env: { ELECTRON_RUN_AS_NODE: '1' },
    }),
  ];
}
