import type { JSX } from 'preact';
import type { ThinkingBlock } from '../../../core/protocol/block/textBlocks.ts';
import { Markdown } from '../../markdown/markdown.tsx';

/** What the agent thought, folded: it is rarely what one came for. */
export function ThinkingView({ thinking }: { readonly thinking: ThinkingBlock }): JSX.Element {
  return (
    <details class="thought">
      <summary>
        <span>{thinking.done ? 'Thought' : 'Thinking…'}</span>
        <span class="thought-glimpse">{glimpse(thinking.text)}</span>
      </summary>
      <Markdown text={thinking.text} />
    </details>
  );
}

/** The beginning of the text, in one line. */
function glimpse(text: string): string {
  return text
    .replaceAll(/[\s*_#`>]+/g, ' ')
    .trim()
    .slice(0, 120);
}
