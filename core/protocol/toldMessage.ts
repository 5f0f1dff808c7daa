import * as z from 'zod/mini';
import { block } from './block/block.ts';
import { requestId } from './ids.ts';
import {
  eventMessage,
  eventPatchMessage,
  heartbeatMessage,
  historyMessage,
  liveMessage,
  patchMessage,
  replayDone,
  snapshotMessage,
  summaryMessage,
  windowMessage,
} from './message.ts';
import { receipt, result } from './response.ts';
import { sessionSummary, windowState } from './windowState.ts';

/** What a bridge may tell a paired phone: every word is one that this version knows, where a reader is more lenient. */
export const toldMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('response'),
    request_id: requestId,
    receipt: z.optional(receipt),
    result,
  }),
  z.extend(eventMessage, { block }),
  eventPatchMessage,
  z.extend(historyMessage, { block }),
  z.extend(liveMessage, { block }),
  patchMessage,
  z.extend(snapshotMessage, { summary: sessionSummary }),
  z.extend(replayDone, { summary: sessionSummary }),
  z.extend(summaryMessage, { summary: sessionSummary }),
  z.extend(windowMessage, { state: windowState }),
  heartbeatMessage,
]);
export type ToldMessage = z.infer<typeof toldMessage>;
