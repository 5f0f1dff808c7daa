import type { Event } from '../../core/base/emitter.ts';
import type { AgentId } from '../../core/protocol/ids.ts';
import type { AgentAdapter } from '../adapters/agentAdapter.ts';
import { OwnerDialogs } from './ownerDialogs.ts';
import type { ForeignOwner, OwnersEnd } from './ownerWatch.ts';
import { TerminalAgent } from './terminalAgent.ts';

/** Who works with agents outside of this product, as a port. */
export interface Owners {
  /** Freshly looked up. */
  ownerOf(agent: AgentId, nativeId: string): ForeignOwner | undefined;
  /** What a process of ours works at now; undefined when nobody can tell. */
  conversationOf(agent: AgentId, pid: number): string | undefined;
  untilGone(owner: ForeignOwner): Promise<OwnersEnd>;
  readonly onDidChange: Event<void>;
}

/** Reads along in conversations that somebody has, or had, in terminals that are not ours. */
export class ForeignConversations {
  readonly #owners: Owners | undefined;

  /** @param owners without them, nobody is there */
  constructor(owners: Owners | undefined) {
    this.#owners = owners;
  }

  /** What the program of a terminal of ours works at now; undefined when nobody can tell. */
  conversationOf({ agentId }: AgentAdapter, { pid, isForeign }: TerminalAgent): string | undefined {
    return isForeign ? undefined : this.#owners?.conversationOf(agentId, pid);
  }

  /** Somebody is in the conversation now, so nobody else may write. */
  isOwned({ agentId, external }: AgentAdapter, nativeId: string): boolean {
    return external !== false && this.#owners?.ownerOf(agentId, nativeId) !== undefined;
  }

  /**
   * What was said after a time, and is said from now on while somebody is there.
   *
   * @param since Unix milliseconds; 0 for all of it
   * @returns undefined when the agent's conversations cannot be read
   */
  async follow(adapter: AgentAdapter, nativeId: string, since: number): Promise<TerminalAgent | undefined> {
    if (adapter.external === false) return undefined;
    const from = await adapter.external.openRecord(nativeId).placeAfter(since);
    return this.followFrom(adapter, nativeId, from);
  }

  /** Whether something was said after a time, in Unix milliseconds. */
  async hasNews({ external }: AgentAdapter, nativeId: string, since: number): Promise<boolean> {
    if (external === false) return false;
    const record = external.openRecord(nativeId);
    return record.writtenAt > since && (await record.placeAfter(since)) < record.end;
  }

  /** All that was said until now, whoever goes on with it; undefined when it cannot be read. */
  readAll({ external }: AgentAdapter, nativeId: string): TerminalAgent | undefined {
    if (external === false) return undefined;
    // From its beginning: the copy has all of it, too.
    return new TerminalAgent(undefined, {
      record: external.openRecord(nativeId),
      nativeId: undefined,
      from: 0,
    });
  }

  /** @param from a place in the record, in bytes */
  followFrom({ agentId, external }: AgentAdapter, nativeId: string, from: number): TerminalAgent | undefined {
    if (external === false) return undefined;
    const owners = this.#owners;
    const owner = owners?.ownerOf(agentId, nativeId);
    const program = owner && {
      pid: owner.pid,
      ended: owners?.untilGone(owner) ?? Promise.resolve('gone' as const),
    };
    const prompts = owner && owners && new OwnerDialogs(owner, owners);
    return new TerminalAgent(program, { record: external.openRecord(nativeId), nativeId, from, prompts });
  }
}
