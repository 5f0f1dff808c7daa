import * as z from 'zod/mini';
import { block } from '../../../core/protocol/block/block.ts';
import { agentId, sessionId } from '../../../core/protocol/ids.ts';

/** How a bridge in a process of its own is set up. */
export const bridgeSetup = z.object({
  folder: z.string(),
  workspace: z.string(),
  relayUrl: z.string(),
  /** The real Claude Code, besides the demo agent. */
  claude: z.optional(z.object({ executable: z.string(), env: z.record(z.string(), z.string()) })),
  /** The text of a Node program that is an agent in its terminal, besides the demo agent. */
  program: z.optional(z.string()),
});
export type BridgeSetup = z.infer<typeof bridgeSetup>;

/** What the test tells it to do, as somebody at the desk would. */
export const bridgeOrder = z.discriminatedUnion('do', [
  z.object({ do: z.literal('invite'), number: z.int() }),
  z.object({ do: z.literal('submit code'), number: z.int(), code: z.string() }),
  z.object({ do: z.literal('read'), number: z.int(), session: sessionId }),
  z.object({ do: z.literal('open terminal'), number: z.int(), agent: agentId }),
]);
export type BridgeOrder = z.infer<typeof bridgeOrder>;

/** What it answers: `online` is said by itself. */
export const bridgeAnswer = z.discriminatedUnion('said', [
  z.object({ said: z.literal('online') }),
  z.object({ said: z.literal('done'), number: z.int() }),
  z.object({ said: z.literal('invitation'), number: z.int(), link: z.string() }),
  z.object({ said: z.literal('opened'), number: z.int(), session: sessionId }),
  z.object({
    said: z.literal('record'),
    number: z.int(),
    entries: z.array(z.object({ seq: z.int(), block })),
    agentPid: z.int(),
  }),
]);
export type BridgeAnswer = z.infer<typeof bridgeAnswer>;
