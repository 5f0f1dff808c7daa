import assert from 'node:assert/strict';
import type { MarkdownBlock, MarkdownInline } from '../../../phone/markdown/markdownNode.ts';
import { parseMarkdown } from '../../../phone/markdown/parseMarkdown.ts';

function blocks(source: string): readonly MarkdownBlock[] {
  return parseMarkdown(source, []).map(piece => piece.block);
}

function inline(source: string): readonly MarkdownInline[] {
  const [block] = blocks(source);
  assert.equal(block?.kind, 'paragraph');
  return block.content;
}

function textOf(nodes: readonly MarkdownInline[]): string {
  return nodes
    .map(node => ('content' in node ? textOf(node.content) : 'text' in node ? node.text : '\n'))
    .join('');
}

describe('Markdown of an agent', () => {
  it('shows what is nested beyond any use as it was written, instead of exhausting the stack', () => {
    for (const source of ['>'.repeat(3_000), '1. '.repeat(16_384), '- > '.repeat(500) + 'x']) {
      const [piece, ...more] = parseMarkdown(source, []);
      assert.deepEqual(piece?.block, { kind: 'code', language: '', text: source });
      assert.equal(more.length, 0);
    }
  });

  it('reads headings, lists, quotes, rules and code', () => {
    const kinds = blocks('# A\n\n1. one\n2. two\n\n> said\n\n---\n\n```ts title\nlet a = 1;\n```\n').map(
      b => b.kind,
    );
    assert.deepEqual(kinds, ['heading', 'list', 'quote', 'rule', 'code']);
  });

  it('keeps the language of a code block apart from what follows it', () => {
    assert.deepEqual(blocks('```ts title\nlet a = 1;\n```'), [
      { kind: 'code', language: 'ts', text: 'let a = 1;' },
    ]);
  });

  it('shows a fence that is still open as code [T30]', () => {
    assert.deepEqual(blocks('```sh\nls -l'), [{ kind: 'code', language: 'sh', text: 'ls -l' }]);
  });

  it('shows HTML as the text that it is [D10]', () => {
    assert.equal(textOf(inline('a <img src=x onerror=alert(1)> b')), 'a <img src=x onerror=alert(1)> b');
    assert.equal(textOf(inline('<script>alert(1)</script>')), '<script>alert(1)</script>');
  });

  it('follows only links to the web and to mail', () => {
    const hrefs = (source: string) =>
      inline(source).flatMap(node => (node.kind === 'link' ? [node.href] : []));
    assert.deepEqual(hrefs('[a](https://example.org/x)'), ['https://example.org/x']);
    assert.deepEqual(hrefs('[a](mailto:a@example.org)'), ['mailto:a@example.org']);
    const inert = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      '/here',
      '#a',
    ];
    for (const href of inert) {
      assert.deepEqual(hrefs(`[label](${href})`), [], href);
      assert.equal(textOf(inline(`[label](${href})`)), 'label');
    }
  });

  it('never loads a picture', () => {
    assert.deepEqual(inline('![cat](https://example.org/cat.png)'), [
      {
        kind: 'link',
        href: 'https://example.org/cat.png',
        content: [{ kind: 'text', text: '[image: cat]' }],
      },
    ]);
  });

  it('resolves character references in prose and leaves them in code', () => {
    assert.equal(textOf(inline('a &amp; b &lt;c&gt; &#x2192; &unknown;')), 'a & b <c> → &unknown;');
    assert.deepEqual(inline('`&amp;`'), [{ kind: 'code', text: '&amp;' }]);
  });

  it('reads tables with their alignment [T30]', () => {
    const [table] = blocks('| a | b |\n|---|--:|\n| 1 | 2 |\n');
    assert.equal(table?.kind, 'table');
    assert.deepEqual(
      table.header.map(cell => cell.align),
      [undefined, 'right'],
    );
    assert.equal(table.rows.length, 1);
  });

  it('reads task lists', () => {
    const [list] = blocks('- [x] read\n- [ ] write\n- plain\n');
    assert.equal(list?.kind, 'list');
    assert.deepEqual(
      list.items.map(item => item.checked),
      [true, false, undefined],
    );
  });

  it('gives the same object for a block whose source has not changed, while a text grows', () => {
    const before = parseMarkdown('first\n\nsecond', []);
    const after = parseMarkdown('first\n\nsecond grows', before);
    assert.equal(after[0], before[0]);
    assert.notEqual(after.at(-1), before.at(-1));
  });
});
