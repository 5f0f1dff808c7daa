import type { Logger } from '../../core/base/logger.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import type { AgentId } from '../../core/protocol/ids.ts';
import type { InstalledAgent } from '../adapters/adapterRegistry.ts';
import type { AgentStartFailure, ChosenSettings } from '../adapters/agent.ts';
import type { AgentStarter } from './agentStarter.ts';
import type { ForeignConversations } from './foreignConversations.ts';
import type { JournalHeader } from './journalHeader.ts';
import type { SessionPorts } from './sessionPorts.ts';
import type { TerminalAgent } from './terminalAgent.ts';

/** What a session's agent is started and found by. */
export interface AgentPortsParts {
  readonly starter: AgentStarter;
  readonly foreign: ForeignConversations;
  readonly findAgent: (id: AgentId) => InstalledAgent | undefined;
  readonly logger: Logger;
  /** The agent's own id of the conversation, as it is now. */
  readonly nativeId: () => string | undefined;
  /** Another session has a conversation. */
  readonly isTaken: (nativeId: string) => boolean;
  /** How the agent is set for this session. */
  readonly chosen: () => ChosenSettings;
}

/** A session's ways to its agent, wherever that runs. */
export function agentPorts(
  { session_id: id, agent_id, fork_of }: Pick<JournalHeader, 'session_id' | 'agent_id' | 'fork_of'>,
  { starter, foreign, findAgent, logger, nativeId, isTaken, chosen }: AgentPortsParts,
): Pick<
  SessionPorts,
  'startAgent' | 'ownModes' | 'endLeft' | 'canContinueInTerminal' | 'startTerminal' | 'elsewhere'
> {
  /** What nobody expects (a full disk, say) is a failure to start like any other: a session must not wait for it. */
  const guarded = async <T>(
    start: (installed: InstalledAgent) => Promise<Result<T, AgentStartFailure>>,
  ): Promise<Result<T, AgentStartFailure>> => {
    const installed = findAgent(agent_id);
    if (installed === undefined) return fail('agent_missing');
    try {
      return await start(installed);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
      logger.error('agent.start_failed', { session: id, code });
      return fail('agent_failed');
    }
  };
  return {
    startAgent: () =>
      guarded(installed => {
        const settings = chosen();
        const native = nativeId();
        return native === undefined && fork_of !== undefined
          ? starter.start(installed, fork_of, { settings, fork: true })
          : starter.start(installed, native, { settings, fork: false });
      }),
    endLeft: () => starter.endLeft(),
    ownModes: () => findAgent(agent_id)?.adapter.ownModes ?? [],
    canContinueInTerminal: () => {
      const adapter = findAgent(agent_id)?.adapter;
      // The copy is made with the first prompt: before that, a terminal would begin without what was said.
      const isMade = fork_of === undefined || nativeId() !== undefined;
      return adapter !== undefined && adapter.terminal !== false && isMade;
    },
    startTerminal: native => guarded(installed => starter.startTerminal(installed, native)),
    elsewhere: {
      isOwned: () => {
        const adapter = findAgent(agent_id)?.adapter;
        const native = nativeId();
        return adapter !== undefined && native !== undefined && foreign.isOwned(adapter, native);
      },
      hasNews: async since => {
        const native = nativeId();
        if (native === undefined) return false;
        const news = await guarded(async ({ adapter }) => ok(await foreign.hasNews(adapter, native, since)));
        return news.ok && news.value;
      },
      follow: since =>
        guarded(async ({ adapter }) => {
          const native = nativeId();
          const agent = native === undefined ? undefined : await foreign.follow(adapter, native, since);
          return agent === undefined ? fail('agent_missing') : ok(agent);
        }),
      nextOf: async terminal => {
        const next = await guarded<TerminalAgent | 'taken' | undefined>(async installed => {
          const native = foreign.conversationOf(installed.adapter, terminal);
          if (native === undefined || native === terminal.nativeId) return ok(undefined);
          return ok(isTaken(native) ? 'taken' : await starter.nextTerminal(installed, terminal, native));
        });
        return next.ok ? next.value : undefined;
      },
    },
  };
}
