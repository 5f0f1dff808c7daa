import type { JSX } from 'preact';
import { visibleText } from './visibleText.ts';

/** A text in which nothing can hide: characters that are not seen stand out as their code points. */
export function VisibleText({ text }: { readonly text: string }): JSX.Element {
  return (
    <bdi dir="ltr">
      {visibleText(text).map((span, index) =>
        span.hidden ? (
          <mark key={index} class="unseen">
            {span.text}
          </mark>
        ) : (
          span.text
        ),
      )}
    </bdi>
  );
}
