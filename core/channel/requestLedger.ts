import type { RequestId } from '../protocol/ids.ts';
import type { Receipt, ResponseMessage } from '../protocol/response.ts';

interface Entry {
  /** Of what was asked, without its request id. */
  readonly digest: string;
  /** Undefined while it is being done. */
  readonly response: ResponseMessage | undefined;
}

/** What a peer has asked for, and what became of it; oldest first. */
export type RequestLedger = ReadonlyMap<RequestId, Entry>;

export const emptyLedger: RequestLedger = new Map();

/** More than a peer has in flight, by far: what was done longer ago than this is not asked about any more. */
export const ledgerBound = 256;

export type Verdict =
  /** Not seen before: it is to be done now. */
  | { readonly kind: 'new'; readonly ledger: RequestLedger }
  /** It was done, and is not done again: this was the answer. */
  | { readonly kind: 'done'; readonly response: ResponseMessage }
  /** It is being done; its answer will come. */
  | { readonly kind: 'pending' }
  /** The id was used for something else (protocol.md 2.5, "duplicate prompt"). */
  | { readonly kind: 'conflict' }
  /** As much as is remembered is being done: what is new is not begun, for its answer could not be kept. */
  | { readonly kind: 'full' };

/** @param digest of what is asked, without its request id */
export function takeRequest(ledger: RequestLedger, id: RequestId, digest: string): Verdict {
  const known = ledger.get(id);
  if (known === undefined) {
    const rest = withRoom(ledger);
    if (rest === undefined) return { kind: 'full' };
    return { kind: 'new', ledger: rest.set(id, { digest, response: undefined }) };
  }
  if (known.digest !== digest) return { kind: 'conflict' };
  return known.response === undefined ? { kind: 'pending' } : { kind: 'done', response: known.response };
}

/** Keeps an answer, so that the same request gets the same one. */
export function settleRequest(ledger: RequestLedger, response: ResponseMessage): RequestLedger {
  const known = ledger.get(response.request_id);
  return known === undefined ? ledger : new Map(ledger).set(response.request_id, { ...known, response });
}

/** `unknown`: it was never here, or so long ago that nobody can say; whoever asks must not do it again by itself. */
export function statusOf(ledger: RequestLedger, id: RequestId): Receipt {
  const known = ledger.get(id);
  if (known === undefined) return 'unknown';
  return known.response === undefined ? 'received' : (known.response.receipt ?? 'applied');
}

/** A copy with room for one more: the oldest that was done is forgotten. */
function withRoom(ledger: RequestLedger): Map<RequestId, Entry> | undefined {
  const rest = new Map(ledger);
  if (rest.size < ledgerBound) return rest;
  const oldest = [...rest].find(([, { response }]) => response !== undefined);
  if (oldest === undefined) return undefined;
  rest.delete(oldest[0]);
  return rest;
}
