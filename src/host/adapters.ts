import { join } from 'node:path';
import type { Logger } from '../../core/base/logger.ts';
import { systemClock } from '../../platform/node/systemClock.ts';
import type { AgentAdapter } from '../adapters/agentAdapter.ts';
import { createClaudeAdapter } from '../adapters/claude/claudeAdapter.ts';
import { createNodeProgramFinder } from '../adapters/claude/nodeProgramFinder.ts';
import { createDemoAdapter } from '../adapters/demo/demoAdapter.ts';
import { runtimeDirectory } from '../terminal/runtimeDirectory.ts';

export interface BuiltInPorts {
  readonly distDirectory: string;
  readonly stateDirectory: string;
  /** Runs the keeper, and its hooks. */
  readonly keeperRuntime: readonly string[];
  /** A path, or a name in PATH; empty for the one that is found. */
  readonly claudeExecutable: string;
  readonly logger: Pick<Logger, 'info'>;
}

/** The agents that this build knows; those that are not installed are not offered. */
export function builtInAdapters({
  distDirectory,
  stateDirectory,
  keeperRuntime,
  claudeExecutable,
  logger,
}: BuiltInPorts): readonly AgentAdapter[] {
  const hook = [...keeperRuntime, 'hook', runtimeDirectory(stateDirectory)];
  return [
    createClaudeAdapter({
      finder: createNodeProgramFinder(),
      ...(claudeExecutable === '' ? {} : { executable: claudeExecutable }),
      dialogs: { hook, clock: systemClock },
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
