import { join } from 'node:path';
import type { AgentAdapter } from '../adapters/agent.ts';
import { createClaudeAdapter } from '../adapters/claude/claudeAdapter.ts';
import { createNodeProgramFinder } from '../adapters/claude/nodeProgramFinder.ts';
import { createDemoAdapter } from '../adapters/demo/demoAdapter.ts';

/** The agents that this build knows; those that are not installed are not offered. */
export function builtInAdapters(distDirectory: string, stateDirectory: string): readonly AgentAdapter[] {
  return [
    createClaudeAdapter({ finder: createNodeProgramFinder() }),
    createDemoAdapter(
      {
        argv: [process.execPath, join(distDirectory, 'demoAgent.cjs')],
        // The editor's program runs scripts only when told to.
        env: { ELECTRON_RUN_AS_NODE: '1' },
      },
      join(stateDirectory, 'demo'),
    ),
  ];
}
