import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';
import { Icon } from '../parts/icon.tsx';

/** Less than this is no more to read, in CSS pixels. */
const slackPx = 8;

interface Properties {
  /** What is in it. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A box that scrolls, and says when there is more of it than is seen. */
export function ReadToEnd({ label, children }: Properties): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [hasMore, setMore] = useState(false);
  const look = useCallback(() => {
    if (box.current === null) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    setMore(scrollHeight - scrollTop - clientHeight > slackPx);
  }, []);
  useLayoutEffect(() => {
    if (box.current === null || content.current === null) return undefined;
    const observer = new ResizeObserver(look);
    observer.observe(box.current);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, [look]);
  return (
    <>
      <div ref={box} class="approval-scroll" role="region" aria-label={label} tabIndex={0} onScroll={look}>
        <div ref={content} class="approval-content">
          {children}
        </div>
      </div>
      {hasMore && (
        <button
          type="button"
          class="more-below"
          onClick={() => box.current?.scrollBy({ top: box.current.clientHeight * 0.8 })}
        >
          <Icon name="down" />
          More below
        </button>
      )}
    </>
  );
}
