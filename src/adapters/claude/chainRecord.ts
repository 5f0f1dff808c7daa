import * as z from 'zod/mini';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { claudeRecord, type ClaudeRecord } from './claudeRecord.ts';
import { recordTime } from './recordTime.ts';

/** As long a line as is read, in UTF-16 units. */
const maxLineChars = 4 * 1_048_576;

const id = z.optional(z.nullable(z.string()));

/** What places a record in its conversation. Records of every kind are links of the chain, also those that say nothing. */
const link = z.object({
  uuid: z.string(),
  parentUuid: id,
  /** What a compaction follows, which is no parent: the model is not told of it any more. */
  logicalParentUuid: id,
  isSidechain: z.optional(z.nullable(z.boolean())),
  timestamp: id,
});

/** A record of a conversation, with its place in it. */
export interface ChainRecord {
  readonly uuid: string;
  /** The record that it follows; null for a first one, undefined when it does not say. */
  readonly parent: string | null | undefined;
  /** What it follows in the eyes of people, where its parent does not tell. */
  readonly follows: string | undefined;
  /** A sub-agent's, beside the conversation. */
  readonly isSidechain: boolean;
  /** When it was written, in Unix milliseconds; undefined when it does not say. */
  readonly at: number | undefined;
  /** Undefined for a kind that says nothing to people. */
  readonly record: ClaudeRecord | undefined;
  /** Offset after its line, in bytes. */
  readonly end: number;
  /** Length of its line, in UTF-16 units. */
  readonly size: number;
}

/** @returns undefined for a line that is no record, or not one of a conversation */
export function chainRecord({
  text,
  end,
}: {
  readonly text: string;
  readonly end: number;
}): ChainRecord | undefined {
  if (text.length > maxLineChars) return undefined;
  const value = jsonValue(text);
  const linked = link.safeParse(value);
  if (!linked.success) return undefined;
  const { uuid, parentUuid: parent, logicalParentUuid, isSidechain } = linked.data;
  return {
    uuid,
    parent,
    follows: parent ?? logicalParentUuid ?? undefined,
    isSidechain: isSidechain === true,
    at: recordTime(linked.data),
    record: claudeRecord.safeParse(value).data,
    end,
    size: text.length,
  };
}
