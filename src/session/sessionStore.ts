import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Emitter, type Event } from '../../core/base/emitter.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { AgentId, SessionId } from '../../core/protocol/ids.ts';
import type { SessionSummary } from '../../core/protocol/windowState.ts';
import { toTimestamp } from '../../core/protocol/timestamp.ts';
import { takeProcessLease, type ProcessLease } from '../../platform/node/files/processLease.ts';
import type { ChosenSettings } from '../adapters/agent.ts';
import { agentInfoOf } from './agentInfo.ts';
import { canBeSet, chosenOf } from './agentSettings.ts';
import { AgentStarter, type FoundAgent } from './agentStarter.ts';
import { agentPorts } from './agentPorts.ts';
import { beginJournal, type SessionOrigin } from './beginJournal.ts';
import { ForeignConversations } from './foreignConversations.ts';
import { Journal } from './journal.ts';
import type { JournalEntry } from './journalEntry.ts';
import type { JournalHeader } from './journalHeader.ts';
import { JournalShelf } from './journalShelf.ts';
import { KeeperFile } from './keeperFile.ts';
import { NativeClaims } from './nativeClaims.ts';
import { NativeHolders } from './nativeHolders.ts';
import { mendRecord } from './mendRecord.ts';
import { tryToTakeLease } from './tryToTakeLease.ts';
import { SessionRestorer } from './restoreSession.ts';
import { Session } from './session.ts';
import type { BoundConversation, SessionStorePorts } from './sessionStorePorts.ts';

/** Sessions of this folder that are brought back at most, the newest ones. */
const restored = 50;

type OpenedJournal = NonNullable<ReturnType<typeof Journal.open>>;

/** The sessions of this window. Each belongs to one window at a time, by a lease. */
export class SessionStore implements Disposable {
  readonly #ports: SessionStorePorts;
  readonly #sessions = new Map<SessionId, Session>();
  /** Not listed any more, so not brought back either. */
  readonly #dropped = new Set<SessionId>();
  readonly #shelf: JournalShelf;
  readonly #foreign: ForeignConversations;
  readonly #natives: NativeClaims;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<Session>());

  /** A session was added, or its summary may have changed. */
  readonly onDidChange: Event<Session> = this.#changed.event;

  constructor(ports: SessionStorePorts) {
    this.#ports = ports;
    this.#shelf = new JournalShelf(ports.directory, ports.logger);
    this.#foreign = new ForeignConversations(ports.owners);
    const isKept = (id: string): boolean =>
      existsSync(join(ports.directory, `${id.replaceAll(':', '_')}.jsonl`));
    this.#natives = new NativeClaims(
      new NativeHolders(join(ports.directory, 'natives'), isKept),
      ports.logger,
    );
    const watched = ports.owners?.onDidChange(() => {
      for (const session of this.#sessions.values()) session.yieldToOwner();
    });
    if (watched !== undefined) this.#disposables.add(watched);
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

  /** The session that has one of an agent's conversations, in whichever window. */
  sessionOf(agent: AgentId, nativeId: string): string | undefined {
    return this.#natives.find(agent, nativeId);
  }

  /**
   * Takes up a conversation that its user had with the agent elsewhere: all of it is read, and read along while somebody is
   * there. Whoever asks first has it.
   *
   * @param cwd where the agent works in it: this window's folder, or one in it
   */
  bind(id: SessionId, agent: AgentId, { nativeId, cwd }: BoundConversation): Result<Session, ErrorCode> {
    if (this.#ports.findAgent(agent)?.adapter.external === false) return fail('unsupported_operation');
    // Before it is claimed: what a session of that id has is not let go because it is there already.
    if (this.#sessions.has(id) || existsSync(this.#pathOf(id, 'jsonl'))) return fail('request_conflict');
    if (!this.#natives.claim(agent, nativeId, id)) return fail('request_conflict');
    let session: Session | undefined;
    try {
      const created = this.create(id, agent, {}, { nativeId, cwd });
      if (!created.ok) return created;
      session = created.value;
    } finally {
      if (session === undefined) this.#natives.release(agent, nativeId, id);
    }
    session.followElsewhere();
    return ok(session);
  }

  /**
   * Begins a copy of a conversation, which stays as it is with whoever has it. All that was said in it is read first; the agent
   * makes the copy with the first prompt.
   */
  fork(id: SessionId, agent: AgentId, { nativeId, cwd }: BoundConversation): Result<Session, ErrorCode> {
    const adapter = this.#ports.findAgent(agent)?.adapter;
    if (adapter === undefined || adapter.external === false) return fail('unsupported_operation');
    const created = this.create(id, agent, {}, { forkOf: nativeId, cwd });
    if (created.ok) created.value.resume(this.#foreign.readAll(adapter, nativeId), undefined);
    return created;
  }

  /** Opens a new conversation, or none when the agent cannot be set so. The agent starts with its first prompt. */
  create(
    id: SessionId,
    agent: AgentId,
    settings: ChosenSettings = {},
    from?: SessionOrigin,
  ): Result<Session, ErrorCode> {
    if (this.#sessions.has(id)) return fail('request_conflict');
    if (this.#sessions.size >= limits.sessionsListed && !this.#dropOldestEnded()) return fail('busy');
    const installed = this.#ports.findAgent(agent);
    if (installed === undefined) return fail('not_found');
    if (!canBeSet(installed.adapter, settings)) return fail('unsupported_operation');
    const cwd = this.#ports.cwd();
    if (cwd === undefined) return fail('owner_unavailable');
    const path = this.#pathOf(id, 'jsonl');
    if (existsSync(path)) return fail('request_conflict');
    mkdirSync(this.#ports.directory, { recursive: true, mode: 0o700 });
    const lease = takeProcessLease(this.#pathOf(id, 'lease'));
    if (lease === undefined) return fail('request_conflict');
    const restorer = new SessionRestorer();
    let journal: Journal;
    try {
      journal = beginJournal(path, { id, installed, cwd, from, now: this.#ports.clock.now() }, restorer);
    } catch (error) {
      // It can be made once there is room.
      lease.dispose();
      throw error;
    }
    this.#ports.logger.info('session.created', { session: id, agent });
    return ok(this.#add(journal, restorer, lease, this.#starterOf(journal.header)));
  }

  /**
   * Brings back the sessions of this folder that no other window holds. Living agents are attached to first, so that
   * only what really ended reads as ended. Safe to call again: a session that another window let go is taken then.
   */
  async restore(): Promise<void> {
    const cwd = this.#ports.cwd();
    if (cwd === undefined) return;
    for (const { path, header } of this.#shelf.newest(cwd, restored)) {
      const id = header.session_id;
      if (this.#sessions.has(id) || this.#dropped.has(id) || this.#disposables.isDisposed) continue;
      const lease = tryToTakeLease(this.#pathOf(id, 'lease'), id, this.#ports.logger);
      if (lease === undefined) continue;
      try {
        await this.#restoreOne(path, lease);
        this.#shelf.taken(path);
      } catch (error) {
        // Without its lease, and without the agent that may run for it, it is not ours to write.
        const session = this.#sessions.get(id);
        this.#sessions.delete(id);
        if (session !== undefined) this.#disposables.delete(session);
        this.#disposables.delete(lease);
        lease.dispose();
        this.#shelf.setAside(path, error);
      }
    }
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#sessions.clear();
  }

  async #restoreOne(path: string, lease: ProcessLease): Promise<void> {
    const restorer = new SessionRestorer();
    const add = ({ block, from }: JournalEntry): void => restorer.add(block, from);
    const opened = Journal.open(path, add, { state: restorer });
    if (opened === undefined) throw new Error('no journal');
    try {
      await this.#goOn(opened, restorer, lease);
    } catch (error) {
      opened.journal.dispose();
      throw error;
    }
  }

  async #goOn(opened: OpenedJournal, restorer: SessionRestorer, lease: ProcessLease): Promise<void> {
    const { lostBytes, lostEntries, journal } = opened;
    const { clock, logger, findAgent, uniqueId } = this.#ports;
    const { session_id: id } = journal.header;
    if (lostBytes > 0) logger.warn('journal.cut', { session: id, bytes: lostBytes });
    if (lostEntries > 0) logger.warn('journal.damaged', { session: id, entries: lostEntries });
    const place = { now: toTimestamp(clock.now()), uniqueId };
    const installed = restorer.state.ended ? undefined : findAgent(journal.header.agent_id);
    const lostInfo = restorer.state.agent === undefined ? installed : undefined;
    const mended = [
      ...(lostInfo === undefined ? [] : [agentInfoOf(lostInfo, { cwd: journal.header.cwd, now: place.now })]),
      ...mendRecord(restorer, lostBytes > 0, place),
    ];
    for (const block of mended) {
      journal.append(block);
      restorer.add(block);
    }
    const starter = this.#starterOf(journal.header);
    if (restorer.state.ended) await starter.endLeft();
    // Before anybody can reach the session: what is asked of it meanwhile would start a second agent beside this one.
    const agent =
      installed && (await starter.find(installed, restorer.state.agent?.native_id, restorer.mirroredFrom));
    if (this.#disposables.isDisposed || !lease.isCurrent()) {
      letGo(agent);
      journal.dispose();
      lease.dispose();
      return;
    }
    const session = this.#add(journal, restorer, lease, starter);
    logger.info('session.restored', { session: id, adopted: agent !== undefined });
    if (agent === 'other_version') logger.warn('session.other_version', { session: id });
    try {
      session.resume(agent, restorer.lastLine);
      session.yieldToOwner();
    } catch (error) {
      letGo(agent);
      throw error;
    }
  }

  /** Another process took it, and its agent with it: this window shows it no more, and may find it free later. */
  #letGo(session: Session, lease: ProcessLease): void {
    this.#ports.logger.warn('session.overtaken', { session: session.id, token: lease.token });
    this.#sessions.delete(session.id);
    this.#disposables.delete(session);
    this.#disposables.delete(lease);
    this.#changed.fire(session);
  }

  #add(journal: Journal, restorer: SessionRestorer, lease: ProcessLease, starter: AgentStarter): Session {
    const { session_id: id } = journal.header;
    this.#disposables.add(lease);
    const session: Session = this.#disposables.add(
      new Session(journal, restorer, {
        ...this.#ports,
        lease,
        overtaken: () => queueMicrotask(() => this.#letGo(session, lease)),
        ...agentPorts(journal.header, {
          ...this.#ports,
          starter,
          foreign: this.#foreign,
          nativeId: () => session.nativeId,
          isTaken: native => (this.sessionOf(journal.header.agent_id, native) ?? id) !== id,
          chosen: () => chosenOf(session.chosen),
        }),
      }),
    );
    this.#sessions.set(id, session);
    this.#disposables.add(
      session.onDidChange(() => {
        this.#natives.update(session);
        this.#changed.fire(session);
      }),
    );
    this.#natives.update(session);
    this.#changed.fire(session);
    return session;
  }

  #starterOf({ session_id: id, cwd, agent_cwd }: JournalHeader): AgentStarter {
    const file = new KeeperFile(this.#pathOf(id, 'keeper.json'));
    return new AgentStarter(this.#ports.keepers, file, agent_cwd ?? cwd, this.#foreign);
  }

  /** Makes room: an ended session stays on the disk, and is no longer listed. */
  #dropOldestEnded(): boolean {
    const oldest = this.all.findLast(session => session.summary.activity === 'ended');
    if (oldest === undefined) return false;
    this.#sessions.delete(oldest.id);
    this.#dropped.add(oldest.id);
    this.#disposables.delete(oldest);
    return true;
  }

  #pathOf(id: SessionId, kind: 'jsonl' | 'lease' | 'keeper.json'): string {
    return join(this.#ports.directory, `${id.replaceAll(':', '_')}.${kind}`);
  }
}

function letGo(agent: FoundAgent): void {
  if (agent !== 'other_version') agent?.dispose();
}
