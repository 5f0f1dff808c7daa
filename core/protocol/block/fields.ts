import * as z from 'zod/mini';
import { turnId } from '../ids.ts';
import { limits } from '../limits.ts';
import { timestamp } from '../timestamp.ts';

/** A name for people: of an agent, a tool, a phone. */
export const name = z.string().check(z.maxLength(limits.nameChars));
/** One line for people. */
export const title = z.string().check(z.maxLength(limits.titleChars));
/** What an agent or a person says. */
export const text = z.string().check(z.maxLength(limits.textChars));
/** What a tool gives, or a diff. */
export const bulk = z.string().check(z.maxLength(limits.bulkChars));
/** A path on the machine where the agent runs. */
export const path = z.string().check(z.maxLength(limits.pathChars));
export const count = z.int().check(z.gte(0));
/** Milliseconds. */
export const duration = z.int().check(z.gte(0), z.lte(limits.durationMs));

/** Fields of every block: when it was made, the turn it belongs to, and the call of a sub-agent that it is part of. */
export const common = {
  ts: timestamp,
  turn_id: z.optional(turnId),
  /** Joins a guest's suggestion, its approval and what came of it. Set by no machine yet. */
  correlation_id: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_.:-]{1,128}$/))),
  parent_id: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_.:-]{1,128}$/))),
};
