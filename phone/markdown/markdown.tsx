import { signal } from '@preact/signals';
import { Component } from 'preact';
import { useRef } from 'preact/hooks';
import type { JSX } from 'preact';
import { BlockView } from './markdownBlocks.tsx';
import type { MarkdownBlock, MarkdownPiece } from './markdownNode.ts';

type Parse = (source: string, known: readonly MarkdownPiece[]) => readonly MarkdownPiece[];

const parser = signal<Parse | undefined>(undefined);

/** Fetches the reader of Markdown, which the first screen does not need. Without it texts show as they were written. */
export function loadMarkdown(): void {
  if (parser.value !== undefined) return;
  import('./parseMarkdown.ts').then(
    module => {
      parser.value = module.parseMarkdown;
    },
    () => undefined,
  );
}

/** A text of an agent. While it grows, only the blocks that changed are drawn again. */
export function Markdown({ text }: { readonly text: string }): JSX.Element {
  const pieces = useRef<readonly MarkdownPiece[]>([]);
  const parse = parser.value;
  if (parse === undefined) return <p class="plain">{text}</p>;
  pieces.current = parse(text, pieces.current);
  return (
    <div class="markdown">
      {pieces.current.map((piece, index) => (
        <SettledBlock key={index} block={piece.block} />
      ))}
    </div>
  );
}

class SettledBlock extends Component<{ readonly block: MarkdownBlock }> {
  override shouldComponentUpdate(next: { readonly block: MarkdownBlock }): boolean {
    return next.block !== this.props.block;
  }

  render(): JSX.Element {
    return <BlockView block={this.props.block} />;
  }
}
