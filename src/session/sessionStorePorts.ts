import type { Logger } from '../../core/base/logger.ts';
import type { AgentId } from '../../core/protocol/ids.ts';
import type { InstalledAgent } from '../adapters/adapterRegistry.ts';
import type { KeeperPort } from './agentStarter.ts';
import type { Owners } from './foreignConversations.ts';
import type { SessionPorts } from './sessionPorts.ts';

/** A conversation that its user has, or had, with an agent elsewhere. */
export interface BoundConversation {
  readonly nativeId: string;
  readonly cwd: string;
}

export interface SessionStorePorts extends Omit<
  SessionPorts,
  'startAgent' | 'ownModes' | 'endLeft' | 'canContinueInTerminal' | 'startTerminal' | 'elsewhere'
> {
  readonly logger: Logger;
  /** Owner-only folder of the journals. */
  readonly directory: string;
  /** The workspace of this window; undefined when no folder is open. */
  readonly cwd: () => string | undefined;
  readonly findAgent: (id: AgentId) => InstalledAgent | undefined;
  readonly keepers: KeeperPort;
  /** Absent: nobody can tell who works with agents outside of this product. */
  readonly owners?: Owners;
}
