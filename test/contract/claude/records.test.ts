import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { block as blockSchema } from '../../../core/protocol/block/block.ts';
import type { AgentEvent, ConversationRecord } from '../../../src/adapters/agent.ts';
import { openClaudeRecord } from '../../../src/adapters/claude/conversationRecord.ts';
import { LineSplitter } from '../../../src/adapters/lineSplitter.ts';
import { RecordLines } from './recordLines.ts';
import { transcript } from './transcript.ts';

// Files of the real Claude Code, kept by RECORD_FRAMES=1 npm run test:agents -- --grep terminal. RESET_GOLDEN=1 rewrites the
// transcripts: RESET_GOLDEN=1 npm test -- --only contract --grep 'recorded conversations of Claude Code'
const records = join(import.meta.dirname, 'records');
const golden = join(import.meta.dirname, 'recordsGolden');
const id = '5e3f1c52-2f0b-4c7e-9a63-0d8d3b0f7a11';

const recordings = readdirSync(records).flatMap(version =>
  readdirSync(join(records, version)).map(name => ({
    name: `${version}-${name.replace(/\.jsonl$/, '')}`,
    bytes: readFileSync(join(records, version, name)),
  })),
);

describe('recorded conversations of Claude Code', () => {
  let home: string;
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'tn-'));
    mkdirSync(join(home, '.claude', 'projects', '-a-project'), { recursive: true });
  });
  after(() => {
    rmSync(home, { recursive: true, force: true });
    const names = recordings.map(recording => `${recording.name}.txt`);
    assert.deepEqual(readdirSync(golden).sort(), names.sort(), 'a transcript for each, and no other');
  });

  function recordOf(bytes: Buffer): ConversationRecord {
    writeFileSync(join(home, '.claude', 'projects', '-a-project', `${id}.jsonl`), bytes);
    return openClaudeRecord(id, { HOME: home, USERPROFILE: home });
  }

  async function read(record: ConversationRecord, from: number): Promise<readonly AgentEvent[]> {
    const events: AgentEvent[] = [];
    for await (const event of record.follow(from, AbortSignal.abort())) events.push(event);
    return events;
  }

  it('are there for two versions', () => {
    assert.equal(readdirSync(records).length, 2);
    assert.ok(recordings.length >= 8, `${String(recordings.length)} recordings`);
  });

  for (const { name, bytes } of recordings) {
    it(`of ${name} give the events of its transcript, in blocks that can be told`, async () => {
      const record = recordOf(bytes);
      assert.equal(record.end, bytes.length);
      const events = await read(record, 0);
      for (const event of events) {
        if (event.type !== 'block') continue;
        const told = blockSchema.safeParse({ ...event.block, ts: 1, turn_id: 'turn_1' });
        assert.ok(told.success, JSON.stringify(event.block));
      }
      const file = join(golden, `${name}.txt`);
      const text = transcript(events.filter(event => event.type !== 'line'));
      if (process.env.RESET_GOLDEN === '1') {
        mkdirSync(golden, { recursive: true });
        writeFileSync(file, text);
      }
      assert.ok(existsSync(file), 'RESET_GOLDEN=1 writes it');
      assert.equal(text, readFileSync(file, 'utf8'));
    });

    it(`of ${name} give the same events when they are read again from any line [D1]`, async () => {
      const record = recordOf(bytes);
      const events = await read(record, 0);
      for (let from = 0; from < bytes.length; from = bytes.indexOf(0x0a, from) + 1) {
        const first = events.findIndex(event => event.type === 'line' && event.end > from);
        const expected = first < 0 ? [] : events.slice(first);
        assert.deepEqual(await read(record, from), expected, `from ${String(from)}`);
      }
    });

    it(`of ${name} give the same events however the bytes come`, () => {
      const decode = (pieceBytes: number): readonly AgentEvent[] => {
        const splitter = new LineSplitter(4 * 1_048_576);
        const decoder = new RecordLines();
        const events: AgentEvent[] = [];
        for (let start = 0; start < bytes.length; start += pieceBytes) {
          const piece = bytes.subarray(start, start + pieceBytes);
          for (const line of splitter.push(piece, start + piece.length))
            events.push(...decoder.receive(line.text));
        }
        return events;
      };
      const whole = decode(bytes.length);
      for (const pieceBytes of [1, 2, 3, 7, 64, 1_021]) assert.deepEqual(decode(pieceBytes), whole);
    });

    it(`of ${name} end each turn once, after its last text`, async () => {
      const events = await read(recordOf(bytes), 0);
      let isOpen = false;
      for (const event of events) {
        if (event.type === 'desk_prompt' || event.type === 'block') isOpen = true;
        if (event.type !== 'turn_end') continue;
        assert.ok(isOpen);
        isOpen = false;
      }
      assert.ok(!isOpen, 'the last one, too');
    });
  }
});
