import type { Key } from '../../core/protocol/control/screenControls.ts';

const named: Partial<Record<Key, string>> = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  shift_tab: '\u001b[Z',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  page_up: '\u001b[5~',
  page_down: '\u001b[6~',
  backspace: '\u007f',
  space: ' ',
  ctrl_c: '\u0003',
};

/** What a terminal sends for a key. */
export function keyBytes(key: Key): Uint8Array {
  return new TextEncoder().encode(named[key] ?? key);
}
