import * as z from 'zod/mini';
import { bridgeId, instanceId, sessionId } from '../../core/protocol/ids.ts';

const sheet = z.discriminatedUnion('kind', [
  /** A new session, in this window when it is named. */
  z.object({ kind: z.literal('new'), instance: z.optional(instanceId) }),
  /** What could be taken up in a window. */
  z.object({ kind: z.literal('external'), bridge: bridgeId, instance: instanceId }),
  z.object({ kind: z.literal('machine'), bridge: bridgeId }),
  z.object({ kind: z.literal('session') }),
]);
export type SheetRoute = z.infer<typeof sheet>;

const over = { sheet: z.optional(sheet) };

export const route = z.discriminatedUnion('screen', [
  z.object({ screen: z.literal('list'), ...over }),
  /** How to pair a machine. */
  z.object({ screen: z.literal('add'), ...over }),
  /** An invitation is at hand. It is never part of the route: it holds a secret. */
  z.object({ screen: z.literal('pair'), ...over }),
  z.object({
    screen: z.literal('session'),
    bridge: bridgeId,
    instance: instanceId,
    session: sessionId,
    /** The terminal instead of the transcript. */
    view: z.optional(z.literal('terminal')),
    ...over,
  }),
]);
/** Where in the app one is. Kept in the browser's history, so that its back button works. */
export type Route = z.infer<typeof route>;

export const historyState = z.object({ route, depth: z.int().check(z.gte(0)) });
