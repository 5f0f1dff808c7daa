import * as z from 'zod/mini';
import { agentId } from '../../core/protocol/ids.ts';
import { capabilities, mode } from '../../core/protocol/block/agentBlocks.ts';
import type { AgentAdapter } from './agentAdapter.ts';

const method = z.custom<(...args: never[]) => unknown>(value => typeof value === 'function');

const ownMode = z.object({ id: mode, fromAfar: z.boolean() });

const declaration = z.object({
  agentId,
  displayName: z.string().check(z.minLength(1), z.maxLength(80)),
  capabilities,
  providesModels: z.boolean(),
  providesUsage: z.boolean(),
  terminal: z.union([z.literal(false), z.object({ newId: method, command: method, openRecord: method })]),
  external: z.union([
    z.literal(false),
    z.object({ programs: z.array(z.string()), scan: method, owners: method, openRecord: method }),
  ]),
  attachments: z.optional(z.object({ mimes: z.array(z.string()), totalBytes: z.int().check(z.gte(1)) })),
  ownModes: z.optional(z.array(ownMode)),
  detect: method,
  start: method,
});

/** Thrown when a module that claims to be an adapter breaks the contract. */
export class AdapterContractError extends Error {
  override readonly name = 'AdapterContractError';
  readonly fields: readonly string[];

  constructor(fields: readonly string[]) {
    super(`The adapter does not declare, or misdeclares: ${fields.join(', ')}`);
    this.fields = fields;
  }
}

/**
 * Checks an adapter when it is loaded, so that nothing is missing later (requirements T66-T71).
 *
 * @throws AdapterContractError naming every field that is missing or of the wrong kind
 */
export function defineAdapter(adapter: AgentAdapter): AgentAdapter {
  const checked = declaration.safeParse(adapter);
  if (!checked.success)
    throw new AdapterContractError([...new Set(checked.error.issues.map(issue => issue.path.join('.')))]);
  const contradictions = contradictionsOf(adapter);
  if (contradictions.length > 0) throw new AdapterContractError(contradictions);
  return adapter;
}

/** What a phone is told that the agent can do must be what the adapter does. */
function contradictionsOf({
  providesModels,
  providesUsage,
  capabilities: told,
}: AgentAdapter): readonly string[] {
  return [
    ...(providesModels === (told.models === true) ? [] : ['providesModels']),
    ...(providesUsage === (told.usage === true) ? [] : ['providesUsage']),
  ];
}
