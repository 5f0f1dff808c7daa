import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent, ConversationRecord } from '../agent.ts';
import { followFile } from '../followFile.ts';
import { DemoDecoder } from './demoDecoder.ts';

/** Where the demo agent keeps a conversation: `id` is checked, since it becomes a file's name. */
export function demoRecordPath(directory: string, id: string): string {
  if (!/^[0-9a-f-]{1,64}$/.test(id)) throw new Error('the demo agent knows no such conversation');
  return join(directory, `${id}.jsonl`);
}

/** The demo agent's own record of a conversation: what it says, a frame a line, with the prompts between. */
export function openDemoRecord(directory: string, id: string): ConversationRecord {
  const path = demoRecordPath(directory, id);
  return {
    sourceId: `record-${id}`.slice(0, 64),
    get end() {
      return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    },
    follow: (from, finished) => follow(path, from, finished),
  };
}

async function* follow(
  path: string,
  from: number,
  finished: AbortSignal,
): AsyncGenerator<AgentEvent, void, void> {
  const decoder = new DemoDecoder();
  const locate = (): string | undefined => (existsSync(path) ? path : undefined);
  for await (const line of followFile({ locate, from, finished })) {
    if (line === 'quiet') continue;
    yield { type: 'line', end: line.end };
    yield* decoder.receive(line.text);
  }
}
