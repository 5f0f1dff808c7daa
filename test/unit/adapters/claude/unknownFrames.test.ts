import assert from 'node:assert/strict';
import { ClaudeDecoder } from '../../../../src/adapters/claude/claudeDecoder.ts';
import { UnknownFrameCounts, type UnknownFrames } from '../../../../src/adapters/claude/unknownFrames.ts';

describe('frames of Claude Code that are not known here', () => {
  it('are told by their kind once, counted, and passed over', () => {
    const told: UnknownFrames[] = [];
    const counts = new UnknownFrameCounts(first => told.push(first));
    const decoder = new ClaudeDecoder('/work', counts);
    const line = '{"type":"brand_new","secret":"words"}';
    for (const each of [line, line, '{"type":"Odd Kind!"}', 'no json'])
      assert.deepEqual(decoder.receive(each).events, []);
    assert.deepEqual(told, [
      { type: 'brand_new', count: 1, chars: line.length },
      { type: 'other', count: 1, chars: 20 },
    ]);
    assert.deepEqual(
      counts.all.map(({ type, count }) => [type, count]),
      [
        ['brand_new', 2],
        ['other', 2],
      ],
    );
    assert.ok(!JSON.stringify([told, counts.all]).includes('words'));
  });

  it('are told apart up to a bound', () => {
    const counts = new UnknownFrameCounts();
    const letters = 'abcdefghij';
    for (const one of letters) for (const other of letters) counts.add(`{"type":"${one}${other}"}`);
    assert.equal(counts.total, 100);
    assert.ok(counts.all.length <= 33);
  });

  it('leave a known kind alone, whatever version says it', () => {
    const counts = new UnknownFrameCounts();
    const init = { type: 'system', subtype: 'init', model: 'm', claude_code_version: '9.9.9' };
    const { events } = new ClaudeDecoder('/work', counts).receive(JSON.stringify(init));
    assert.deepEqual(events[0], { type: 'settings', model: 'm', version: '9.9.9' });
    assert.equal(counts.total, 0);
  });
});
