import type { AgentEvent, RunningAgent } from '../adapters/agent.ts';
import { AgentSettings } from './agentSettings.ts';
import { recordPlanStep } from './planRecord.ts';
import type { SessionPorts } from './sessionPorts.ts';
import type { SessionRecord } from './sessionRecord.ts';
import { UsageMeter } from './usageMeter.ts';

/** What an agent says beside its blocks and its questions. */
export type FactEvent = Extract<
  AgentEvent,
  { type: 'plan_step' | 'context' | 'rate_limit' | 'usage' | 'models' | 'commands' | 'settings' }
>;

/** Keeps what an agent says of its plan, of what it used, and of how it works. */
export class AgentFacts {
  readonly settings: AgentSettings;
  readonly #record: SessionRecord;
  readonly #usage: UsageMeter;

  constructor(record: SessionRecord, ports: SessionPorts, agent: () => RunningAgent | undefined) {
    this.#record = record;
    this.#usage = new UsageMeter(record);
    this.settings = new AgentSettings(record, ports, agent);
  }

  /** @param run names the process that says it */
  take(event: FactEvent, run: string): void {
    const { turn } = this.#record.state;
    switch (event.type) {
      case 'plan_step':
        recordPlanStep(this.#record, event, turn);
        return;
      case 'context':
      case 'rate_limit':
        this.#usage.note(event);
        return;
      case 'usage':
        this.#usage.add(event.report, run, turn);
        return;
      case 'models':
      case 'commands':
      case 'settings':
        this.settings.take(event);
    }
  }
}
