import type { JSX } from 'preact';
import { CopyButton } from './copyButton.tsx';
import { InlineContent } from './inlineContent.tsx';
import type { MarkdownBlock, MarkdownCell } from './markdownNode.ts';

/** Draws blocks. The page has its own headings above, so those of a text begin at the third level. */
export function BlockView({ block }: { readonly block: MarkdownBlock }): JSX.Element {
  switch (block.kind) {
    case 'heading': {
      const level = Math.min(block.level, 4);
      const Tag = level <= 1 ? 'h3' : level === 2 ? 'h4' : level === 3 ? 'h5' : 'h6';
      return (
        <Tag>
          <InlineContent content={block.content} />
        </Tag>
      );
    }
    case 'paragraph':
      return (
        <p>
          <InlineContent content={block.content} />
        </p>
      );
    case 'code':
      return <CodeBlock language={block.language} text={block.text} />;
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case 'list':
      return <List list={block} />;
    case 'table':
      return <Table table={block} />;
    case 'rule':
      return <hr />;
  }
}

function Blocks({ blocks }: { readonly blocks: readonly MarkdownBlock[] }): JSX.Element {
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </>
  );
}

function CodeBlock({ language, text }: { readonly language: string; readonly text: string }): JSX.Element {
  return (
    <figure class="code-block">
      <figcaption>
        <span>{language === '' ? 'text' : language}</span>
        <CopyButton text={text} />
      </figcaption>
      <pre tabIndex={0} aria-label={`Code, ${language === '' ? 'text' : language}`}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

function List({ list }: { readonly list: Extract<MarkdownBlock, { kind: 'list' }> }): JSX.Element {
  const items = list.items.map((item, index) => (
    <li key={index} class={item.checked === undefined ? undefined : 'task'}>
      {item.checked !== undefined && (
        <span class="task-mark" role="img" aria-label={item.checked ? 'done' : 'open'}>
          {item.checked ? '☑' : '☐'}
        </span>
      )}
      <Blocks blocks={item.blocks} />
    </li>
  ));
  return list.ordered ? <ol start={list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table }: { readonly table: Extract<MarkdownBlock, { kind: 'table' }> }): JSX.Element {
  return (
    <div class="table-box" role="region" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={index} scope="col" class={alignClass(cell)}>
                <InlineContent content={cell.content} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, rowIndex) => (
            <tr key={rowIndex}>
              {row.map((cell, index) => (
                <td key={index} class={alignClass(cell)}>
                  <InlineContent content={cell.content} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function alignClass({ align }: MarkdownCell): string | undefined {
  return align === undefined ? undefined : `align-${align}`;
}
