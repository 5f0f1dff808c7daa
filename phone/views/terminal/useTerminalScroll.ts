import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

/** This close to the end counts as being at it, in CSS pixels. */
const nearPx = 24;

export interface TerminalScroll {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly lines: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
  readonly toEnd: () => void;
}

interface Place {
  /** Number of the first line. */
  readonly from: number;
  readonly linePx: number;
  readonly onRead: (isReading: boolean) => void;
  /** Its beginning comes into sight. */
  readonly onNearTop: () => void;
}

/**
 * Keeps a terminal's end in sight while its reader is there; else the line that is read, whatever comes above and below it:
 * lines are of one height, so its number says where it is.
 */
export function useTerminalScroll({ from, linePx, onRead, onNearTop }: Place): TerminalScroll {
  const box = useRef<HTMLDivElement>(null);
  const lines = useRef<HTMLDivElement>(null);
  /** The line at the upper edge, with its fraction; undefined at the end. */
  const reading = useRef<number | undefined>(undefined);

  const settle = (): void => {
    if (box.current === null || lines.current === null) return;
    const { scrollHeight, clientHeight, scrollTop } = box.current;
    const end = scrollHeight - clientHeight;
    const wanted =
      reading.current === undefined ? end : lines.current.offsetTop + (reading.current - from) * linePx;
    if (Math.abs(wanted - scrollTop) > 1) box.current.scrollTop = wanted;
  };
  useLayoutEffect(settle);
  const settleNow = useRef(settle);
  settleNow.current = settle;
  useLayoutEffect(() => {
    if (box.current === null) return undefined;
    const observer = new ResizeObserver(() => settleNow.current());
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);

  const onScroll = (): void => {
    if (box.current === null || lines.current === null) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < nearPx;
    reading.current = isAtEnd ? undefined : from + (scrollTop - lines.current.offsetTop) / linePx;
    onRead(!isAtEnd);
    if (scrollTop < clientHeight && !isAtEnd) onNearTop();
  };
  const toEnd = (): void => {
    reading.current = undefined;
    onRead(false);
    settle();
  };
  return { box, lines, onScroll, toEnd };
}
