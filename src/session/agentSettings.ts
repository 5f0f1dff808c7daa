import { fail, ok, type Result } from '../../core/base/result.ts';
import type { AgentInfo, SettingsChanged } from '../../core/protocol/block/agentBlocks.ts';
import { blockId } from '../../core/protocol/ids.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { AgentEvent, ChosenSettings, OwnMode, RunningAgent } from '../adapters/agent.ts';
import type { AgentAdapter } from '../adapters/agentAdapter.ts';
import type { Actor } from './actor.ts';
import { withBridgeCommands } from './bridgeCommands.ts';
import type { SessionRecord } from './sessionRecord.ts';

type Told = Extract<AgentEvent, { type: 'models' | 'commands' | 'settings' }>;

export interface AgentSettingsPorts {
  readonly uniqueId: () => string;
  /** The agent's own modes; none when absent. */
  readonly ownModes?: () => readonly OwnMode[];
}

/**
 * Which model answers, how hard it thinks, and in which of its own modes the agent works: what was chosen, which the
 * journal keeps and each process is started with, and what the agent says that it is.
 */
export class AgentSettings {
  readonly #record: SessionRecord;
  readonly #ports: AgentSettingsPorts;
  readonly #agent: () => RunningAgent | undefined;

  constructor(record: SessionRecord, ports: AgentSettingsPorts, agent: () => RunningAgent | undefined) {
    this.#record = record;
    this.#ports = ports;
    this.#agent = agent;
  }

  /** Takes in what the agent says of itself. */
  take(event: Told): void {
    switch (event.type) {
      case 'models':
        this.#takeModels(event.models);
        return;
      case 'commands':
        this.#tellAgent({ slash_commands: [...withBridgeCommands(event.commands)] });
        return;
      case 'settings':
        this.#tellAgent({
          ...(event.model === undefined ? {} : { model: event.model }),
          ...(event.mode === undefined ? {} : { mode: event.mode }),
          ...(event.version === undefined ? {} : { version: event.version }),
        });
    }
  }

  /** @returns `invalid_request` for a model that the agent is known not to offer */
  setModel(model: string): Result<void, ErrorCode> {
    if (!this.#can('models')) return fail('unsupported_operation');
    const models = this.#record.state.models?.models;
    if (models?.every(({ id }) => id !== model) === true) return fail('invalid_request');
    return this.#choose({ model });
  }

  /** @returns `invalid_request` for an effort that the chosen model is known not to have */
  setEffort(effort: string): Result<void, ErrorCode> {
    if (!this.#can('effort')) return fail('unsupported_operation');
    const { models, chosen } = this.#record.state;
    const current = models?.models.find(({ id, default: isDefault }) =>
      chosen.model === undefined ? isDefault === true : id === chosen.model,
    );
    if (current !== undefined && current.efforts?.includes(effort) !== true) return fail('invalid_request');
    return this.#choose({ effort });
  }

  /**
   * Puts the agent into one of its own modes. It asks less in some, and those are chosen at the desk alone; whatever it
   * asks is still decided by the session's mode (requirement M67).
   */
  setOwnMode(value: string, actor: Actor): Result<void, ErrorCode> {
    const mode = this.#ports.ownModes?.().find(({ id }) => id === value);
    if (mode === undefined) return fail('invalid_request');
    if (actor.kind !== 'desktop' && !mode.fromAfar) return fail('not_owner');
    return this.#choose({ agent_mode: mode.id });
  }

  #can(what: 'models' | 'effort'): boolean {
    return this.#record.state.agent?.capabilities[what] === true;
  }

  #choose(change: Pick<SettingsChanged, 'model' | 'effort' | 'agent_mode'>): Result<void, ErrorCode> {
    if (!this.#record.isOurs) return fail('not_owner');
    if (this.#record.state.ended) return fail('stale_session');
    const id = blockId.parse(`settings_${this.#ports.uniqueId()}`);
    this.#record.append({ type: 'settings_changed', ts: this.#record.now, id, ...change });
    this.#record.journal.flush();
    this.#agent()?.configure?.(chosenOf(change));
    return ok(undefined);
  }

  #takeModels(models: Extract<Told, { type: 'models' }>['models']): void {
    const before = this.#record.state.models?.models;
    if (JSON.stringify(before) === JSON.stringify(models)) return;
    const id = blockId.parse('models');
    this.#record.append({ type: 'model_list', ts: this.#record.now, id, models: [...models] });
  }

  #tellAgent(change: Partial<AgentInfo>): void {
    const { agent } = this.#record.state;
    if (agent === undefined) return;
    const next = { ...agent, ...change };
    if (JSON.stringify(agent) !== JSON.stringify(next))
      this.#record.append({ ...next, ts: this.#record.now });
  }
}

/** What a process is started with, or told. */
export function chosenOf({
  model,
  effort,
  agent_mode: mode,
}: Pick<SettingsChanged, 'model' | 'effort' | 'agent_mode'>): ChosenSettings {
  return {
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(mode === undefined ? {} : { mode }),
  };
}

/** Whether an agent has what is chosen; which models it offers it says only once it runs. */
export function canBeSet(
  { capabilities }: Pick<AgentAdapter, 'capabilities'>,
  { model, effort }: ChosenSettings,
): boolean {
  const hasModels = model === undefined || capabilities.models === true;
  return hasModels && (effort === undefined || capabilities.effort === true);
}
