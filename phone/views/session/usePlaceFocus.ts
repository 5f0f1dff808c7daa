import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';

/** Keeps the focus near where it was when a button that had it goes: at its place, and after that in the transcript. */
export interface PlaceFocus {
  readonly place: { current: HTMLElement | null };
  /** To be called before the focused button is turned off or taken away. */
  readonly keep: () => void;
}

export function usePlaceFocus(): PlaceFocus {
  const place = useRef<HTMLElement>(null);
  const keep = useCallback(() => place.current?.focus({ preventScroll: true }), []);
  useLayoutEffect(() => {
    const element = place.current;
    return () => {
      if (element?.contains(document.activeElement) !== true) return;
      document.querySelector<HTMLElement>('.transcript')?.focus({ preventScroll: true });
    };
  }, []);
  return { place, keep };
}
