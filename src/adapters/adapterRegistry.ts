import type { AgentId } from '../../core/protocol/ids.ts';
import type { DetectedAgent } from './agent.ts';
import type { AgentAdapter } from './agentAdapter.ts';

export interface InstalledAgent {
  readonly adapter: AgentAdapter;
  readonly detected: DetectedAgent;
}

/** The adapters of this build, by id. */
export class AdapterRegistry {
  readonly #adapters = new Map<AgentId, AgentAdapter>();
  #installed = new Map<AgentId, InstalledAgent>();

  /** @throws when two adapters claim one id (requirement T94) */
  constructor(adapters: readonly AgentAdapter[]) {
    for (const adapter of adapters) {
      if (this.#adapters.has(adapter.agentId))
        throw new Error(`Two adapters claim the id ${adapter.agentId}.`);
      this.#adapters.set(adapter.agentId, adapter);
    }
  }

  get installed(): readonly InstalledAgent[] {
    return [...this.#installed.values()];
  }

  find(id: AgentId): InstalledAgent | undefined {
    return this.#installed.get(id);
  }

  /** Looks for every agent at once; one that fails to answer counts as not installed. */
  async detect(signal: AbortSignal): Promise<void> {
    const found = await Promise.all(
      [...this.#adapters.values()].map(async adapter => {
        const detected = await adapter.detect(signal).catch(() => undefined);
        return detected === undefined ? [] : [{ adapter, detected }];
      }),
    );
    this.#installed = new Map(found.flat().map(agent => [agent.adapter.agentId, agent]));
  }
}
