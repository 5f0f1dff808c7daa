import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ConversationReader } from '../../../../src/adapters/claude/conversationReader.ts';
import { RecordLines } from '../../../contract/claude/recordLines.ts';
import { transcript } from '../../../contract/claude/transcript.ts';
import { answer, attachment, chain, prompt, type ChainLine } from './chainLines.ts';

const turns: readonly ChainLine[] = chain([
  prompt('one'),
  attachment(),
  attachment(),
  answer('m1', 'first'),
  prompt('two'),
  answer('m2', 'second'),
]);
const inOrder = ['one', 'first', 'two', 'second'];

function words(reader: RecordLines, lines: readonly string[]): readonly string[] {
  const events = [...lines.flatMap(line => reader.receive(line)), ...reader.quiet()];
  return transcript(events).match(/(?<=")[a-z]+(?=")/g) ?? [];
}
const texts = (lines: readonly ChainLine[]): readonly string[] => lines.map(({ text }) => text);

describe('the order of records of Claude Code', () => {
  it('is that of the conversation, in whatever order a batch of them was written', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...turns], { minLength: turns.length }), shuffled => {
        assert.deepEqual(words(new RecordLines(), texts(shuffled)), inOrder);
      }),
    );
  });

  it('tells a prompt before its answer, with the time of each', () => {
    const [first, , , last] = turns;
    assert.ok(first && last);
    const reader = new ConversationReader();
    const told = [last, turns[1], first, turns[2]].flatMap((line, index) =>
      reader.receive({ text: line?.text ?? '', end: index + 1 }),
    );
    assert.deepEqual(
      told.map(({ end, at }) => [end, at]),
      [
        [3, first.at],
        [1, last.at],
      ],
    );
  });

  it('waits for no parent for ever: something is written later, nothing follows, or too much waits', () => {
    const [orphan] = chain([answer('m', 'alone')], { after: 'nowhere', at: 1_000 });
    assert.ok(orphan);
    const waiting = (): RecordLines => {
      const reader = new RecordLines();
      assert.deepEqual(reader.receive(orphan.text), []);
      assert.ok(!reader.isSettled);
      return reader;
    };
    assert.equal(waiting().quiet().length, 2, 'its words, and the end of its turn');
    const [later] = chain([attachment()], { after: 'neither', at: 12_000 });
    assert.equal(waiting().receive(later?.text ?? '').length, 1);
    const children = chain(
      Array.from({ length: 64 }, () => attachment()),
      { after: orphan.uuid, at: 1_000, everyMs: 0 },
    );
    const reader = waiting();
    assert.equal(children.flatMap(({ text }) => reader.receive(text)).length, 1);
  });

  it('takes the first record for a beginning where reading begins in the middle', () => {
    const rest = turns.slice(3);
    const reader = new RecordLines({ isCut: true });
    assert.equal(rest.flatMap(({ text }) => reader.receive(text)).length, 3);
  });

  it('lets nothing wait for what a compaction follows', () => {
    const [boundary] = chain([{ type: 'system', subtype: 'compact_boundary', logicalParentUuid: 'gone' }]);
    const after = chain([prompt('next')], { after: boundary?.uuid ?? '' });
    assert.deepEqual(words(new RecordLines(), texts([...(boundary ? [boundary] : []), ...after])), ['next']);
  });

  it('tells what is written twice once, as it was first', () => {
    const again = turns.map(line => ({ ...line, text: line.text.replace(/first|second/, 'poorer') }));
    assert.deepEqual(words(new RecordLines(), texts([...turns, ...again])), inOrder);
    const [last, ...rest] = texts([...turns].reverse());
    assert.deepEqual(words(new RecordLines(), [last ?? '', last ?? '', ...rest]), inOrder);
  });
});
