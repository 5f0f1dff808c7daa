import { join } from 'node:path';
import type { AgentAdapter } from '../adapters/agent.ts';
import { createDemoAdapter } from '../adapters/demo/demoAdapter.ts';

/** The agents that this build knows. */
export function builtInAdapters(distDirectory: string): readonly AgentAdapter[] {
  return [createDemoAdapter([process.execPath, join(distDirectory, 'demoAgent.cjs')])];
}
