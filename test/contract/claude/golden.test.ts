import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { block as blockSchema } from '../../../core/protocol/block/block.ts';
import { ClaudeDecoder } from '../../../src/adapters/claude/claudeDecoder.ts';
import { decodeLines } from './decodeLines.ts';
import { transcript } from './transcript.ts';

// Frames of the real Claude Code, written by RECORD_FRAMES=1 npm run test:agents. RESET_GOLDEN=1 rewrites the transcripts:
// RESET_GOLDEN=1 npm test -- --only contract --grep 'recorded frames of Claude Code'
const frames = join(import.meta.dirname, 'frames');
const golden = join(import.meta.dirname, 'golden');

const recordings = readdirSync(frames).flatMap(version =>
  readdirSync(join(frames, version)).map(name => ({
    name: `${version}-${name.replace(/\.jsonl$/, '')}`,
    lines: readFileSync(join(frames, version, name), 'utf8')
      .trimEnd()
      .split('\n'),
  })),
);

describe('recorded frames of Claude Code', () => {
  it('are there for two versions', () => {
    assert.equal(readdirSync(frames).length, 2);
    assert.ok(recordings.length >= 30, `${String(recordings.length)} recordings`);
  });

  after(() => {
    const names = recordings.map(recording => `${recording.name}.txt`);
    assert.deepEqual(
      readdirSync(golden).sort(),
      names.sort(),
      'a transcript for each recording, and no other',
    );
  });

  for (const { name, lines } of recordings) {
    it(`of ${name} give the events of its transcript, in blocks that can be told`, () => {
      const events = decodeLines(lines);
      for (const event of events) {
        if (event.type !== 'block') continue;
        const told = blockSchema.safeParse({ ...event.block, ts: 1, turn_id: 'turn_1' });
        assert.ok(told.success, JSON.stringify(event.block));
      }
      const file = join(golden, `${name}.txt`);
      const text = transcript(events);
      if (process.env.RESET_GOLDEN === '1') {
        mkdirSync(golden, { recursive: true });
        writeFileSync(file, text);
      }
      assert.ok(existsSync(file), 'RESET_GOLDEN=1 writes it');
      assert.equal(text, readFileSync(file, 'utf8'));
    });

    it(`of ${name} give the same events when they are read again from any checkpoint [D1]`, () => {
      const events = decodeLines(lines);
      for (const [index, event] of events.entries()) {
        if (event.type !== 'checkpoint') continue;
        const again = decodeLines(lines.slice(event.offset));
        // The id of the conversation is told anew by each decoder, and offsets count from where it begins.
        const comparable = (list: typeof events) =>
          list.filter(one => one.type !== 'native_id' && one.type !== 'checkpoint');
        assert.deepEqual(comparable(again), comparable(events.slice(index + 1)));
      }
    });

    it(`of ${name} end each text and each call once [T25]`, () => {
      const ended = decodeLines(lines).flatMap(event =>
        event.type === 'block' && (event.block.type === 'text' || event.block.type === 'thinking')
          ? [event.block]
          : [],
      );
      for (const id of new Set(ended.map(block => block.id))) {
        const forms = ended.filter(block => block.id === id);
        assert.deepEqual(
          forms.map(block => block.done),
          forms.map((_form, index) => index === forms.length - 1),
          id,
        );
      }
    });

    it(`of ${name} are all of a known kind, or passed over`, () => {
      const decoder = new ClaudeDecoder('/run/work');
      const skipped = new Set<string>();
      for (const line of lines) {
        const before = decoder.skipped;
        decoder.receive(line);
        if (decoder.skipped > before) skipped.add(String(/"type":"(\w+)"/.exec(line)?.[1]));
      }
      assert.deepEqual(
        [...skipped].filter(type => type !== 'command_lifecycle'),
        [],
      );
    });
  }
});
