import type { JSX } from 'preact';
import type { MarkdownInline } from './markdownNode.ts';

/** Draws what stands within a line. */
export function InlineContent({ content }: { readonly content: readonly MarkdownInline[] }): JSX.Element {
  return (
    <>
      {content.map((node, index) => (
        <InlineView key={index} node={node} />
      ))}
    </>
  );
}

function InlineView({ node }: { readonly node: MarkdownInline }): JSX.Element {
  switch (node.kind) {
    case 'text':
      return <>{node.text}</>;
    case 'code':
      return <code>{node.text}</code>;
    case 'break':
      return <br />;
    case 'strong':
    case 'em':
    case 'del': {
      const Tag = node.kind;
      return (
        <Tag>
          <InlineContent content={node.content} />
        </Tag>
      );
    }
    case 'link':
      return (
        <a href={node.href} title={node.href} target="_blank" rel="noopener noreferrer">
          <InlineContent content={node.content} />
        </a>
      );
  }
}
