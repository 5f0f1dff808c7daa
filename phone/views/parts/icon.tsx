import type { JSX } from 'preact';

const paths = {
  back: 'M14.5 5.5 8 12l6.5 6.5',
  forward: 'M9.5 5.5 16 12l-6.5 6.5',
  send: 'M12 19V5.5M6 11.5l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  check: 'M5 12.5 10 17.5 19.5 7',
  cross: 'M6.5 6.5l11 11m0-11-11 11',
  plus: 'M12 5v14M5 12h14',
  down: 'M12 5v13.5M6 12.5l6 6 6-6',
  warning: 'M12 4.5 21 19.5H3zM12 10v4.5m0 2.6v.1',
  execute: 'M4.5 7l5 5-5 5M12 17.5h7.5',
  read: 'M7 3.5h7l4 4v13H7zM13.5 3.5v4.5H18M10 12.5h5M10 16h5',
  edit: 'M5 19l1-4L16.5 4.5l3 3L9 18zM14 7l3 3',
  search: 'M10.5 4.5a6 6 0 1 1 0 12 6 6 0 0 1 0-12M15 15l5 5',
  fetch: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17M3.5 12h17M12 3.5c-5 5-5 12 0 17 5-5 5-12 0-17',
  think: 'M9 18h6M10 21h4M12 3.5a6 6 0 0 0-3.5 10.9V16h7v-1.6A6 6 0 0 0 12 3.5',
  other: 'M12 6.5v.1M12 12v.1M12 17.5v.1',
  machine: 'M4 5.5h16v10.5H4zM9 19.5h6M12 16v3.5',
  offline: 'M4 4l16 16M8.5 14.5a5 5 0 0 1 5-1.2M5 11a10 10 0 0 1 3.5-2.3M19 11a10 10 0 0 0-7-3M12 18.5v.1',
} as const;

export type IconName = keyof typeof paths;

/** A small stroke drawing. It never stands for a word of its own: a text is beside it. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
