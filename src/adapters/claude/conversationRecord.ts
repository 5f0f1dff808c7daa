import type { AgentEvent, ConversationRecord } from '../agent.ts';
import type { ExternalRecord } from '../external.ts';
import { followFile } from '../followFile.ts';
import { endOfLines, findConversationFile, writtenAt, type Environment } from './conversationFile.ts';
import { placeAfter } from './placeAfter.ts';
import { RecordDecoder } from './recordDecoder.ts';

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
  return openRecord(nativeId, environment, () => new RecordDecoder());
}

/** The same file, of a conversation that is not ours: what runs without a terminal wrote is told, too. */
export function openExternalRecord(nativeId: string, environment: Environment): ExternalRecord {
  const locate = (): string | undefined => findConversationFile(nativeId, environment);
  const record = openRecord(nativeId, environment, () => new RecordDecoder({ ofAll: true }));
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

function openRecord(
  nativeId: string,
  environment: Environment,
  decoderOf: () => RecordDecoder,
): ConversationRecord {
  const locate = (): string | undefined => findConversationFile(nativeId, environment);
  return {
    sourceId: `record-${nativeId}`.slice(0, 64),
    get end() {
      const file = locate();
      return file === undefined ? 0 : endOfLines(file);
    },
    follow: (from, finished) => follow(locate, decoderOf(), from, finished),
  };
}

async function* follow(
  locate: () => string | undefined,
  decoder: RecordDecoder,
  from: number,
  finished: AbortSignal,
): AsyncGenerator<AgentEvent, void, void> {
  const lines = followFile({ locate, from: Math.max(0, from - contextBytes), finished, quietMs });
  let end = 0;
  for await (const line of lines) {
    if (line === 'quiet') {
      yield* told(decoder.quiet(), decoder, end);
      continue;
    }
    const events = decoder.receive(line.text);
    ({ end } = line);
    if (end > from) yield* told(events, decoder, end);
  }
  yield* told(decoder.quiet(), decoder, end);
}

/** Nothing for a line that says nothing: most are accounts that Claude Code keeps for itself. */
function told(events: readonly AgentEvent[], decoder: RecordDecoder, end: number): readonly AgentEvent[] {
  if (events.length === 0) return [];
  const checkpoint = { type: 'checkpoint', offset: end } as const;
  const at = decoder.writtenAt;
  return [
    { type: 'line', end, ...(at === undefined ? {} : { at }) },
    ...events,
    ...(decoder.isSettled ? [checkpoint] : []),
  ];
}
