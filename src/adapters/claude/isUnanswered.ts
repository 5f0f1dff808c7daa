import { readFileSync, statSync } from 'node:fs';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { claudeRecord } from './claudeRecord.ts';
import { userWords } from './userWords.ts';

/** A longer file has an answer in it: what Claude Code notes by itself before the first one is less. */
const mostBytes = 1_048_576;

/**
 * Whether the model was never asked for anything in a conversation: the terminal was opened and left, which leaves the record of
 * `/exit` behind. Claude Code does not know such a conversation when it is to be resumed.
 *
 * @param file a conversation's; one that cannot be read counts as empty
 */
export function isUnanswered(file: string): boolean {
  try {
    if (statSync(file).size > mostBytes) return false;
    return !readFileSync(file, 'utf8').split('\n').some(isOfModel);
  } catch {
    return true;
  }
}

function isOfModel(line: string): boolean {
  const record = claudeRecord.safeParse(jsonValue(line)).data;
  if (record === undefined || record.isSidechain === true) return false;
  return record.type === 'assistant' || (record.type === 'user' && userWords(record)?.kind === 'prompt');
}
