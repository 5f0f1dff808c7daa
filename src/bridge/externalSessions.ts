import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { shorten } from '../../core/base/cutText.ts';
import { fail, type Result } from '../../core/base/result.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { AgentId, SessionId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import { toTimestamp } from '../../core/protocol/timestamp.ts';
import type { ExternalConversation } from '../adapters/external.ts';
import type { InstalledAgent } from '../adapters/adapterRegistry.ts';
import type { ForeignOwner } from '../session/ownerWatch.ts';
import type { Session } from '../session/session.ts';
import type { BoundConversation } from '../session/sessionStorePorts.ts';

/** A conversation of this window's folder that no session has. */
export interface ExternalSession extends BoundConversation {
  readonly agent: AgentId;
  /** Its first words, or the agent's name while nothing was said. */
  readonly title: string;
  /** Unix milliseconds. */
  readonly updatedAt: number;
  /** Who is in it now. */
  readonly owner: ForeignOwner | undefined;
}

interface ScannedAgent {
  readonly agentId: AgentId;
  readonly found: readonly ExternalConversation[];
}

export interface ExternalSessionsPorts {
  /** The folder of this window; undefined without one. */
  readonly cwd: () => string | undefined;
  readonly agents: () => readonly InstalledAgent[];
  /** As of the last look. */
  readonly owners: () => readonly ForeignOwner[];
  readonly sessions: {
    sessionOf(agent: AgentId, nativeId: string): string | undefined;
    bind(id: SessionId, agent: AgentId, conversation: BoundConversation): Result<Session, ErrorCode>;
    fork(id: SessionId, agent: AgentId, conversation: BoundConversation): Result<Session, ErrorCode>;
    readonly all: readonly Session[];
  };
}

/** Conversations that the user has, or had, with agents outside of this product, in this window's folder. */
export class ExternalSessions {
  readonly #ports: ExternalSessionsPorts;

  /** A look through all files, which everybody who asks meanwhile waits for. */
  #scan: Promise<readonly ScannedAgent[]> | undefined;

  constructor(ports: ExternalSessionsPorts) {
    this.#ports = ports;
  }

  /** Those that somebody is in now, the newest first. */
  get live(): readonly ExternalSession[] {
    const cwd = realFolder(this.#ports.cwd());
    if (cwd === undefined) return [];
    return this.#ports
      .owners()
      .filter(owner => isWithin(owner.cwd, cwd) && this.#isFree(owner.agent, owner.nativeId))
      .map(owner => ({ ...owner, title: this.#nameOf(owner.agent), owner }));
  }

  /** All of them, those that somebody is in first, then the newest. @param agent only this one's */
  async list(limit: number, agent?: AgentId): Promise<readonly ExternalSession[]> {
    const cwd = realFolder(this.#ports.cwd());
    if (cwd === undefined) return [];
    const live = new Map(this.live.map(session => [keyOf(session), session]));
    this.#scan ??= this.#scanAll(cwd).finally(() => (this.#scan = undefined));
    const all = new Map<string, ExternalSession>(live);
    for (const { agentId, found } of await this.#scan) {
      for (const { title, ...each } of found.filter(({ nativeId }) => this.#isFree(agentId, nativeId))) {
        const session = { ...each, agent: agentId, title: title ?? this.#nameOf(agentId) };
        const owner = live.get(keyOf(session))?.owner;
        all.set(keyOf(session), { ...session, cwd: owner?.cwd ?? each.cwd, owner });
      }
    }
    return [...all.values()]
      .filter(each => agent === undefined || each.agent === agent)
      .sort(
        (a, b) => Number(b.owner !== undefined) - Number(a.owner !== undefined) || b.updatedAt - a.updatedAt,
      )
      .slice(0, limit);
  }

  #scanAll(cwd: string): Promise<readonly ScannedAgent[]> {
    return Promise.all(
      this.#ports.agents().map(async ({ adapter: { agentId, external } }) => ({
        agentId,
        // Those that sessions have are among them.
        found: external === false ? [] : await external.scan(cwd, 2 * limits.sessionsListed),
      })),
    );
  }

  /** Makes a session of one. @returns `not_found` when there is none of this window's folder under that id */
  async bind(id: SessionId, agent: AgentId, nativeId: string): Promise<Result<Session, ErrorCode>> {
    const isIt = (each: ExternalSession): boolean => each.agent === agent && each.nativeId === nativeId;
    const found = this.live.find(isIt) ?? (await this.list(limits.sessionsListed, agent)).find(isIt);
    if (found !== undefined) return this.#ports.sessions.bind(id, agent, found);
    // Somebody else was faster.
    return fail(this.#isFree(agent, nativeId) ? 'not_found' : 'request_conflict');
  }

  /**
   * Makes a session of a copy of one, also of one that a session of this window has.
   *
   * @returns `not_found` when there is none of this window's folder under that id
   */
  async fork(id: SessionId, agent: AgentId, nativeId: string): Promise<Result<Session, ErrorCode>> {
    const { sessions } = this.#ports;
    const ours = sessions.all.find(each => each.nativeId === nativeId && each.header.agent_id === agent);
    if (ours !== undefined) {
      const { agent_cwd, cwd } = ours.header;
      return sessions.fork(id, agent, { nativeId, cwd: agent_cwd ?? cwd });
    }
    const isIt = (each: ExternalSession): boolean => each.agent === agent && each.nativeId === nativeId;
    const found = this.live.find(isIt) ?? (await this.list(limits.sessionsListed, agent)).find(isIt);
    return found === undefined ? fail('not_found') : sessions.fork(id, agent, found);
  }

  #isFree(agent: AgentId, nativeId: string): boolean {
    return this.#ports.sessions.sessionOf(agent, nativeId) === undefined;
  }

  #nameOf(agent: AgentId): string {
    const found = this.#ports.agents().find(({ adapter }) => adapter.agentId === agent);
    return found?.adapter.displayName ?? agent;
  }
}

/** The row that a phone is told. */
export function externalRow({ agent, nativeId, cwd, title, updatedAt, owner }: ExternalSession): {
  agent_id: AgentId;
  native_id: string;
  cwd: string;
  title: string;
  updated_at: number;
  live: 'yes' | 'no';
} {
  return {
    agent_id: agent,
    native_id: nativeId,
    cwd,
    title: shorten(title.trim().replaceAll(/\s+/gu, ' '), limits.titleChars),
    updated_at: toTimestamp(Math.max(0, updatedAt)),
    live: owner === undefined ? 'no' : 'yes',
  };
}

/** As a process that works in it is told where it is: an editor may have opened it through a link. Undefined when it is gone. */
function realFolder(folder: string | undefined): string | undefined {
  try {
    return folder === undefined ? undefined : realpathSync.native(folder);
  } catch {
    return undefined;
  }
}

/** A folder itself, or one in it. */
function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function keyOf({ agent, nativeId }: Pick<ExternalSession, 'agent' | 'nativeId'>): string {
  return `${agent} ${nativeId}`;
}
