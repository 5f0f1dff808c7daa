import { join } from 'node:path';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Emitter, type Event } from '../../core/base/emitter.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { blockId, type AgentId, type SessionId } from '../../core/protocol/ids.ts';
import type { SessionSummary } from '../../core/protocol/message.ts';
import { toTimestamp } from '../../core/protocol/timestamp.ts';
import type { InstalledAgent } from '../adapters/adapterRegistry.ts';
import type { AgentContext } from '../adapters/agent.ts';
import { Journal } from './journal.ts';
import { Session, type SessionPorts } from './session.ts';
import { emptySessionState, reduceSession } from './sessionState.ts';

export interface SessionStorePorts extends Omit<SessionPorts, 'startAgent'> {
  /** Owner-only folder of the journals. */
  readonly directory: string;
  /** The workspace of this window; undefined when no folder is open. */
  readonly cwd: () => string | undefined;
  readonly findAgent: (id: AgentId) => InstalledAgent | undefined;
  readonly openProcess: (command: readonly string[], cwd: string) => ReturnType<AgentContext['openProcess']>;
}

/** The sessions of this window. */
export class SessionStore implements Disposable {
  readonly #ports: SessionStorePorts;
  readonly #sessions = new Map<SessionId, Session>();
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<Session>());

  /** A session was added, or its summary may have changed. */
  readonly onDidChange: Event<Session> = this.#changed.event;

  constructor(ports: SessionStorePorts) {
    this.#ports = ports;
  }

  find(id: SessionId): Session | undefined {
    return this.#sessions.get(id);
  }

  /** Newest first. */
  get all(): readonly Session[] {
    return [...this.#sessions.values()].sort((a, b) => b.summary.updated_at - a.summary.updated_at);
  }

  get summaries(): readonly SessionSummary[] {
    return this.all.map(session => session.summary).slice(0, limits.sessionsListed);
  }

  /** Opens a new conversation. The agent starts with its first prompt. */
  create(id: SessionId, agent: AgentId): Result<Session, ErrorCode> {
    if (this.#sessions.has(id)) return fail('request_conflict');
    if (this.#sessions.size >= limits.sessionsListed) return fail('busy');
    const installed = this.#ports.findAgent(agent);
    if (installed === undefined) return fail('not_found');
    const cwd = this.#ports.cwd();
    if (cwd === undefined) return fail('owner_unavailable');
    const { adapter, detected } = installed;
    const journal = Journal.create(join(this.#ports.directory, `${id.replaceAll(':', '_')}.jsonl`), {
      journal: 1,
      session_id: id,
      agent_id: adapter.agentId,
      agent_name: adapter.displayName,
      cwd,
      generation: 0,
    });
    const info = {
      type: 'agent_info' as const,
      ts: toTimestamp(this.#ports.clock.now()),
      id: blockId.parse('agent'),
      agent_id: adapter.agentId,
      display_name: adapter.displayName,
      version: detected.version,
      capabilities: adapter.capabilities,
      cwd,
    };
    journal.append(info);
    const session = this.#disposables.add(
      new Session(journal, reduceSession(emptySessionState, info), {
        ...this.#ports,
        startAgent: () =>
          adapter.start(detected, { cwd, openProcess: command => this.#ports.openProcess(command, cwd) }),
      }),
    );
    this.#sessions.set(id, session);
    this.#disposables.add(session.onDidChange(() => this.#changed.fire(session)));
    this.#changed.fire(session);
    return ok(session);
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#sessions.clear();
  }
}
