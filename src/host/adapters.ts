import { join } from 'node:path';
import type { Logger } from '../../core/base/logger.ts';
import type { AgentAdapter } from '../adapters/agentAdapter.ts';
import { createClaudeAdapter } from '../adapters/claude/claudeAdapter.ts';
import { createNodeProgramFinder } from '../adapters/claude/nodeProgramFinder.ts';
import { createDemoAdapter } from '../adapters/demo/demoAdapter.ts';

export interface BuiltInPorts {
  readonly distDirectory: string;
  readonly stateDirectory: string;
  /** A path, or a name in PATH; empty for the one that is found. */
  readonly claudeExecutable: string;
  readonly logger: Pick<Logger, 'info'>;
}

/** The agents that this build knows; those that are not installed are not offered. */
export function builtInAdapters({
  distDirectory,
  stateDirectory,
  claudeExecutable,
  logger,
}: BuiltInPorts): readonly AgentAdapter[] {
  return [
    createClaudeAdapter({
      finder: createNodeProgramFinder(),
      ...(claudeExecutable === '' ? {} : { executable: claudeExecutable }),
      onUnknownFrame: ({ type, chars }) => logger.info('claude.unknown_frame', { type, chars }),
    }),
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
