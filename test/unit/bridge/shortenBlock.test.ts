import assert from 'node:assert/strict';
import { block, type Block } from '../../../core/protocol/block/block.ts';
import { limits } from '../../../core/protocol/limits.ts';
import { placeholderOf, shortenBlock, toldBlock } from '../../../src/bridge/shortenBlock.ts';
import { blockTypes, fullestBlock } from '../../fakes/fullestBlock.ts';

/** Characters of one to six bytes as JSON, by their UTF-16 units. */
const units = ['\u0001', '\ud800', '"', '漢', '😀', 'a'];

/** Bytes of the longest message that carries a block, with its numbers at their bounds. */
function bytesOf(told: Block): number {
  const most = Number.MAX_SAFE_INTEGER;
  return Buffer.byteLength(JSON.stringify({ kind: 'history', seq: most, generation: most, block: told }));
}

describe('a block that is too long for a frame', () => {
  it('has a shorter form that fits one, whatever fills it up to its bounds [R54]', () => {
    let tooLong = 0;
    for (const name of blockTypes)
      for (const unit of units) {
        const whole = toldBlock(fullestBlock(name, unit));
        if (bytesOf(whole) > limits.plaintextBytes) tooLong += 1;
        const short = shortenBlock(whole);
        const bytes = bytesOf(short);
        assert.ok(bytes <= limits.plaintextBytes, `${name}: ${String(bytes)} bytes`);
        assert.ok(block.safeParse(short).success, `${name} is one that can be told`);
        assert.deepEqual(
          [short.type, short.id, short.ts, short.turn_id],
          [name, whole.id, whole.ts, whole.turn_id],
        );
      }
    assert.ok(tooLong > 10, `${String(tooLong)} did not fit before`);
  });

  it('keeps the ids that something is chosen by, and the whole path of a change', () => {
    const models = fullestBlock('model_list', '\u0001');
    const shortModels = shortenBlock(models);
    assert.ok(models.type === 'model_list' && shortModels.type === 'model_list');
    assert.deepEqual(
      shortModels.models.map(({ id, efforts }) => ({ id, efforts })),
      models.models.map(({ id, efforts }) => ({ id, efforts })),
    );
    const agent = fullestBlock('agent_info', '\u0001');
    const shortAgent = shortenBlock(agent);
    assert.ok(agent.type === 'agent_info' && shortAgent.type === 'agent_info');
    assert.equal(shortAgent.slash_commands?.length, limits.slashCommands);
    assert.deepEqual(shortAgent.slash_commands[0]?.name, agent.slash_commands?.[0]?.name);
    const diff = fullestBlock('diff', '\u0001');
    const shortDiff = shortenBlock(diff);
    assert.ok(diff.type === 'diff' && shortDiff.type === 'diff');
    assert.deepEqual([shortDiff.path, shortDiff.old_path], [diff.path, diff.old_path]);
    assert.equal(shortDiff.truncated, true);
  });

  it('can be stood for by an error in its place, which fits as well', () => {
    for (const name of blockTypes) {
      const whole = fullestBlock(name, '\u0001');
      const placeholder = placeholderOf(whole);
      assert.ok(block.safeParse(placeholder).success, name);
      assert.ok(bytesOf(placeholder) < 2_000, name);
      assert.deepEqual(
        [placeholder.id, placeholder.ts, placeholder.turn_id],
        [whole.id, whole.ts, whole.turn_id],
      );
    }
  });
});
