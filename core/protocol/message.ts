import * as z from 'zod/mini';
import { receivedBlock } from './block/receivedBlock.ts';
import { receivedResponse } from './response.ts';
import { textPatch } from './textPatch.ts';
import { receivedSummary, receivedWindowState } from './windowState.ts';

const seq = z.int().check(z.gte(0));
/** The incarnation of a session's record: what a reader knows of another one is not of this one. */
const generation = z.int().check(z.gte(0));

/** A journal block: `seq` grows by one per block and session, so a gap proves a loss. */
export const eventMessage = z.object({
  kind: z.literal('event'),
  seq: z.int().check(z.gte(1)),
  generation,
  block: receivedBlock,
});
export type EventMessage = z.infer<typeof eventMessage>;

/** An older block that was asked for: it changes nothing of the present, and nobody is notified of it. */
export const historyMessage = z.object({
  kind: z.literal('history'),
  seq: z.int().check(z.gte(1)),
  generation,
  block: receivedBlock,
});
export type HistoryMessage = z.infer<typeof historyMessage>;

/** A journal block whose text is told as a change of what this reader has of it. */
export const eventPatchMessage = z.object({
  kind: z.literal('event_patch'),
  seq: z.int().check(z.gte(1)),
  generation,
  patch: textPatch,
});

/**
 * A block that still grows. It takes no `seq` and is not in the journal: the final form arrives as an event under the
 * same id and replaces it.
 */
export const liveMessage = z.object({ kind: z.literal('live'), generation, block: receivedBlock });

/** What a growing block became, as a change of what it was: for readers with the capability `patch1`. */
export const patchMessage = z.object({ kind: z.literal('patch'), generation, patch: textPatch });

/**
 * The present of a session whose past is not told: what follows begins after `seq`. Sent in place of a replay that would be too
 * long, or to a reader that knows another generation.
 */
export const snapshotMessage = z.object({
  kind: z.literal('snapshot'),
  /** The last block that is left out; 0 when none is. */
  seq,
  generation,
  summary: receivedSummary,
});
export type SnapshotMessage = z.infer<typeof snapshotMessage>;

/** Everything up to `up_to_seq` has been sent; what follows is new. */
export const replayDone = z.object({
  kind: z.literal('replay_done'),
  up_to_seq: seq,
  generation,
  /** The first block that is kept, to be asked for as history. */
  oldest_seq: z.optional(seq),
  summary: receivedSummary,
});

export const summaryMessage = z.object({ kind: z.literal('summary'), summary: receivedSummary });
export const windowMessage = z.object({ kind: z.literal('window'), state: receivedWindowState });

/** Proof that nothing was cut off: the newest `seq`, every 20 s. */
export const heartbeatMessage = z.object({ kind: z.literal('heartbeat'), last_seq: seq });

/**
 * What a bridge says to a paired phone inside a channel, as its reader takes it. A kind that this version does not know is
 * ignored: one that takes a `seq` is told only to readers with a capability for it, as `event_patch` is.
 */
export const bridgeMessage = z.discriminatedUnion('kind', [
  receivedResponse,
  eventMessage,
  eventPatchMessage,
  historyMessage,
  liveMessage,
  patchMessage,
  snapshotMessage,
  replayDone,
  summaryMessage,
  windowMessage,
  heartbeatMessage,
]);
export type BridgeMessage = z.infer<typeof bridgeMessage>;
