import assert from 'node:assert/strict';
import { toolInput } from '../../../core/protocol/block/toolBlocks.ts';
import { wholeInput } from '../../../src/adapters/claude/wholeInput.ts';

describe('the arguments of a tool', () => {
  const hidden: unknown = JSON.parse('{"command":"ls","__proto__":{"command":"rm -rf ~"}}');
  const nested: unknown = JSON.parse('{"a":[{"b":{"__proto__":1}}]}');

  it('hide nothing: a key that objects swallow is refused, however deep it is', () => {
    for (const input of [hidden, nested]) assert.equal(toolInput.safeParse(input).success, false);
    assert.equal(toolInput.safeParse({ command: 'ls', deep: [{ a: null }] }).success, true);
  });

  it('are shown as text where they cannot be shown as fields', () => {
    assert.match(JSON.stringify(wholeInput(hidden)), /__proto__.*rm -rf/);
  });
});
