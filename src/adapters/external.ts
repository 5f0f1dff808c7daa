import type { ConversationRecord } from './agent.ts';

/** A process that works at a conversation, and that is none of ours as far as the adapter knows. */
export interface ConversationOwner {
  readonly pid: number;
  /** When it started, in the system's own words: tells it from a later process with its number. */
  readonly start: string;
  readonly nativeId: string;
  /** Where it works. */
  readonly cwd: string;
  readonly activity: 'idle' | 'running' | 'waiting';
  /** Unix milliseconds. */
  readonly updatedAt: number;
}

/** A conversation that an agent keeps, whoever drives it. */
export interface ExternalConversation {
  /** The agent's own id. */
  readonly nativeId: string;
  readonly cwd: string;
  /** In the agent's or its user's words; undefined while nothing was said. */
  readonly title: string | undefined;
  /** Unix milliseconds. */
  readonly updatedAt: number;
}

/** The record of a conversation that others write. */
export interface ExternalRecord extends ConversationRecord {
  /** When something was written to it last, in Unix milliseconds; 0 when there is none. */
  readonly writtenAt: number;
  /**
   * Where what was written after a time begins: an offset at which a line begins, for `follow`.
   *
   * @param at Unix milliseconds; 0 for all that is worth reading: the last 16 MiB of a longer record
   */
  placeAfter(at: number): Promise<number>;
}

/**
 * Conversations that its user has with an agent outside of this product (protocol.md 1.8). Everything here only reads: the
 * agent's files are never written, locked or moved.
 */
export interface ExternalSupport {
  /** What a user types to start it: names of programs, as a command line begins. */
  readonly programs: readonly string[];
  /**
   * Conversations of a folder that were written last, newest first.
   *
   * @param limit how many at most
   */
  scan(cwd: string, limit: number): Promise<readonly ExternalConversation[]>;
  /** What is said in a conversation, by whatever process. */
  openRecord(nativeId: string): ExternalRecord;
  /** Every process of this machine that works at a conversation now, also those that we started. */
  owners(): readonly ConversationOwner[];
}
