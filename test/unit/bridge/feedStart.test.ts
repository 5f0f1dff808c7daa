import assert from 'node:assert/strict';
import { limits } from '../../../core/protocol/limits.ts';
import { feedStart, isOfOther } from '../../../src/bridge/feedStart.ts';
import { WrittenSession } from '../../fakes/writtenSession.ts';

describe('where a phone is told on', () => {
  function written(count: number): WrittenSession {
    const session = new WrittenSession();
    for (let number = 0; number < count; number += 1) session.write(`t${String(number)}`, 'x', true);
    return session;
  }
  const tsOf = (session: WrittenSession, seq: number): number => session.blocks[seq - 1]?.ts ?? assert.fail();

  it('is after the last block that it holds', () => {
    const session = written(3);
    const resume = { type: 'resume' as const, since_seq: 2, since_ts: tsOf(session, 2), generation: 0 };
    assert.deepEqual(feedStart(resume, session.source), {
      sinceSeq: 2,
      isSnapshot: false,
      takesPatches: false,
    });
    assert.deepEqual(feedStart({ ...resume, since_seq: 0 }, session.source).sinceSeq, 0);
    assert.equal(feedStart({ ...resume, capabilities: ['patch1'] }, session.source).takesPatches, true);
    assert.deepEqual(feedStart({ type: 'open', capabilities: [] }, session.source).sinceSeq, 0);
  });

  it('is a snapshot for one that knows another generation, although the time of its block is the same [T51]', () => {
    const session = written(3);
    const resume = { type: 'resume' as const, since_seq: 2, since_ts: tsOf(session, 2) };
    for (const generation of [1, 7]) {
      assert.equal(isOfOther({ ...resume, generation }, session.source), true);
      const start = feedStart({ ...resume, generation }, session.source);
      assert.deepEqual([start.isSnapshot, start.sinceSeq], [true, 0], 'what it holds counts for nothing');
    }
    assert.equal(isOfOther({ ...resume, generation: 0 }, session.source), false);
  });

  it('is a snapshot for one whose block has another time: its number was given to another one since', () => {
    const session = written(3);
    const resume = { type: 'resume' as const, since_seq: 2, since_ts: tsOf(session, 2) + 1, generation: 0 };
    const start = feedStart(resume, session.source);
    assert.deepEqual([start.isSnapshot, start.sinceSeq], [true, 0]);
  });

  it('is a snapshot of the newest blocks where more were missed than are replayed', () => {
    const session = written(limits.snapshotBlocks + 11);
    const resume = { type: 'resume' as const, since_seq: 10, since_ts: tsOf(session, 10), generation: 0 };
    assert.deepEqual(
      [feedStart(resume, session.source).isSnapshot, feedStart(resume, session.source).sinceSeq],
      [true, 11],
    );
    const one = { ...resume, since_seq: 11, since_ts: tsOf(session, 11) };
    assert.deepEqual(
      [feedStart(one, session.source).isSnapshot, feedStart(one, session.source).sinceSeq],
      [false, 11],
    );
  });
});
