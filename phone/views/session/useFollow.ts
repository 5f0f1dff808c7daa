import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

/** This close to the end counts as being at it, in CSS pixels. */
const nearPx = 56;

export interface Follow {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** New content arrived below of what is read. */
  readonly hasNews: boolean;
  readonly toEnd: () => void;
  readonly onScroll: () => void;
}

/**
 * Keeps the end of a growing text in sight while its reader is there, and leaves the reader alone when not. Heights are
 * watched before they are painted, so that nothing jumps.
 *
 * @param version changes with the content; news is announced only for that, not for what the reader unfolds
 */
export function useFollow(version: unknown): Follow {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const lastTop = useRef(0);
  const [hasNews, setNews] = useState(false);

  const toEnd = useCallback(() => {
    following.current = true;
    setNews(false);
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, []);

  const onScroll = useCallback(() => {
    if (box.current === null) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < nearPx;
    // Only a way up is its reader's: content that has grown since this event was queued is none.
    if (isAtEnd) following.current = true;
    else if (scrollTop < lastTop.current) following.current = false;
    lastTop.current = scrollTop;
    if (following.current) setNews(false);
  }, []);

  useLayoutEffect(() => {
    if (box.current === null || content.current === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (following.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
    });
    observer.observe(box.current);
    observer.observe(content.current);
    return () => observer.disconnect();
  }, []);

  const seen = useRef(version);
  useLayoutEffect(() => {
    if (seen.current === version) return;
    seen.current = version;
    if (!following.current) setNews(true);
  }, [version]);

  return { box, content, hasNews, toEnd, onScroll };
}
