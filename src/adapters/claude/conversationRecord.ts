import type { AgentEvent, ConversationRecord } from '../agent.ts';
import type { ExternalRecord } from '../external.ts';
import { followFile } from '../followFile.ts';
import { ConversationReader, type ReadOptions, type ToldRecord } from './conversationReader.ts';
import { endOfLines, findConversationFile, writtenAt, type Environment } from './conversationFile.ts';
import { readHistory } from './history.ts';
import { isUnanswered } from './isUnanswered.ts';
import { placeAfter } from './placeAfter.ts';

/** Read before the place to begin at, for what its lines refer to: open calls, and records that are written again. */
const contextBytes = 16 * 1_048_576;
/** Claude Code writes the end of a turn within this time after the model's last word, unless a hook takes longer. */
const quietMs = 3_000;

/** Of a conversation that is shared in the middle, what is read of it at most. */
const historyBytes = 16 * 1_048_576;

/**
 * The file in which Claude Code keeps a conversation, followed while its user works in the terminal. Nothing is written
 * to it or beside it, and it is not kept from being written.
 *
 * When the file is cut or replaced, following ends without a word: what the session shows stays as it is, and the terminal
 * goes on. Claude Code only appends, so this takes a hand that deletes its files.
 */
export function openClaudeRecord(nativeId: string, environment: Environment): ConversationRecord {
  return openRecord(nativeId, environment, {});
}

/** The same file, of a conversation that is not ours: what runs without a terminal wrote is told, too. */
export function openExternalRecord(nativeId: string, environment: Environment): ExternalRecord {
  const locate = (): string | undefined => findConversationFile(nativeId, environment);
  const record = openRecord(nativeId, environment, { ofAll: true });
  return {
    sourceId: record.sourceId,
    get end() {
      return record.end;
    },
    get writtenAt() {
      const file = locate();
      return file === undefined ? 0 : (writtenAt(file) ?? 0);
    },
    follow: (from, finished) => record.follow(from, finished),
    async placeAfter(at) {
      const file = locate();
      return file === undefined ? 0 : placeAfter(file, at, historyBytes);
    },
  };
}

function openRecord(nativeId: string, environment: Environment, options: ReadOptions): ConversationRecord {
  const locate = (): string | undefined => findConversationFile(nativeId, environment);
  return {
    sourceId: `record-${nativeId}`.slice(0, 64),
    get end() {
      const file = locate();
      return file === undefined ? 0 : endOfLines(file);
    },
    get isEmpty() {
      const file = locate();
      return file === undefined || isUnanswered(file);
    },
    follow: (from, finished) => follow(locate, options, from, finished),
  };
}

async function* follow(
  locate: () => string | undefined,
  options: ReadOptions,
  from: number,
  finished: AbortSignal,
): AsyncGenerator<AgentEvent, void, void> {
  const start = Math.max(0, from - contextBytes);
  const history = await readHistory(locate, start);
  const reader = new ConversationReader({ ...options, isCut: start > 0, history });
  let end = 0;
  for await (const line of followFile({ locate, from: start, finished, quietMs })) {
    if (line === 'quiet') {
      yield* told(newOnes(reader.quiet(), from), reader, end);
      continue;
    }
    const records = reader.receive(line);
    ({ end } = line);
    if (end > from) yield* told(records, reader, end);
  }
  yield* told(newOnes(reader.quiet(), from), reader, end);
}

/** What waited in vain was told by whoever read it before. */
function newOnes(records: readonly ToldRecord[], from: number): readonly ToldRecord[] {
  return records.filter(({ end }) => end > from);
}

/**
 * Nothing for a line that says nothing: most are accounts that Claude Code keeps for itself.
 *
 * @param end of the line with which they are told: what waited for its parent comes with that
 */
function* told(
  records: readonly ToldRecord[],
  reader: ConversationReader,
  end: number,
): Generator<AgentEvent, void, void> {
  for (const { at, events } of records) {
    yield { type: 'line', end, ...(at === undefined ? {} : { at }) };
    yield* events;
  }
  if (records.length > 0 && reader.isSettled) yield { type: 'checkpoint', offset: end };
}
