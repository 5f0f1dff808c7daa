import assert from 'node:assert/strict';
import { limits } from '../../../../core/protocol/limits.ts';
import { describeTool } from '../../../../src/adapters/claude/describeTool.ts';

describe('how a tool of Claude Code is described', () => {
  it('by what it will do, not by what the model says of it', () => {
    const input = { command: 'rm -rf /', description: 'List files' };
    assert.deepEqual(describeTool('Bash', input), {
      name: 'Bash',
      title: 'rm -rf /',
      kind: 'execute',
      risk: 'high',
    });
  });

  const cases: readonly (readonly [string, Record<string, string>, string, string, string])[] = [
    ['Read', { file_path: '/a' }, 'Read /a', 'read', 'low'],
    ['Edit', { file_path: '/a' }, 'Edit /a', 'edit', 'medium'],
    ['Write', { file_path: '/a' }, 'Write /a', 'edit', 'medium'],
    ['Grep', { pattern: 'x.*' }, 'Search for x.*', 'search', 'low'],
    ['WebFetch', { url: 'http://a' }, 'Fetch http://a', 'fetch', 'medium'],
    ['Task', { description: 'look' }, 'Sub-agent: look', 'think', 'low'],
    ['mcp__db__drop_all', {}, 'drop_all (db)', 'other', 'high'],
    ['NeverHeardOf', {}, 'NeverHeardOf', 'other', 'high'],
    ['constructor', {}, 'constructor', 'other', 'high'],
  ];
  for (const [tool, input, title, kind, risk] of cases) {
    it(`${tool} is "${title}", ${kind}, ${risk}`, () => {
      const described = describeTool(tool, input);
      assert.deepEqual([described.title, described.kind, described.risk], [title, kind, risk]);
    });
  }

  it('in one line that hides nothing behind control characters', () => {
    const { title } = describeTool('Bash', { command: 'echo a\n\u202e\u0007rm b' });
    assert.equal(title, 'echo a rm b');
  });

  it('within the bounds of a block', () => {
    const { name, title } = describeTool(`mcp__${'s'.repeat(100)}__${'t'.repeat(300)}`, {});
    assert.ok(name.length <= limits.nameChars && title.length <= limits.titleChars);
  });
});
