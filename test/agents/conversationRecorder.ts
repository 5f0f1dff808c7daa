import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonValue } from '../../core/base/jsonValue.ts';

const target = join(import.meta.dirname, '..', 'contract', 'claude', 'records');

/** What a record is kept without: accounts of use, and what was sent to the model beside the conversation. */
const leftOut: readonly string[] = [
  'usage',
  'snapshot',
  'modelUsage',
  'rendered',
  'signature',
  'blob',
  'shape',
];
const keptChars = 4_000;

/**
 * Keeps the file of one conversation in test/contract/claude/records when RECORD_FRAMES=1, for the golden transcripts.
 * Lines that Claude Code keeps for itself are cut to their kind, and what names this run is taken out.
 */
export function keepRecord(scenario: string, version: string, folder: string, file: string): void {
  if (process.env.RECORD_FRAMES !== '1') return;
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  mkdirSync(join(target, version), { recursive: true });
  writeFileSync(
    join(target, version, `${scenario}.jsonl`),
    lines.map(line => `${clean(line, folder)}\n`).join(''),
  );
}

function clean(line: string, folder: string): string {
  const kept: unknown = JSON.stringify(jsonValue(line), (key, value: unknown) =>
    leftOut.includes(key) ? undefined : value,
  );
  const text = String(kept)
    .replaceAll(folder, '/run')
    .replaceAll(folder.replace(/[^A-Za-z0-9]/g, '-'), '-run')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:1');
  const [type] = /"type":"(attachment|api-request[a-z-]*)"/.exec(text) ?? [];
  if (text.length <= keptChars && !(type !== undefined && !text.includes('queued_command'))) return text;
  const [uuid] = /"uuid":"[^"]*"/.exec(text) ?? ['"uuid":"-"'];
  const [parent = '"parentUuid":null'] = /"parentUuid":"[^"]*"/.exec(text) ?? [];
  return `{${parent},${type ?? '"type":"cut"'},${uuid},"isSidechain":false,"entrypoint":"cli","attachment":{"type":"cut"}}`;
}
