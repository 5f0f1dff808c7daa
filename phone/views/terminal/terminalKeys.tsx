import type { JSX } from 'preact';
import type { Key } from '../../../core/protocol/control/screenControls.ts';

/** What is on a key, and what it is called where that is no word. */
const keys: readonly (readonly [key: Key, face: string, name?: string])[] = [
  ['enter', 'Enter'],
  ['escape', 'Esc', 'Escape'],
  ['up', '↑', 'Up'],
  ['down', '↓', 'Down'],
  ['left', '←', 'Left'],
  ['right', '→', 'Right'],
  ['tab', 'Tab'],
  ['shift_tab', '⇧Tab', 'Shift Tab'],
  ['ctrl_c', 'Ctrl C', 'Control C'],
  ['backspace', '⌫', 'Backspace'],
  ['space', 'Space'],
  ['y', 'y'],
  ['n', 'n'],
  ['1', '1'],
  ['2', '2'],
  ['3', '3'],
  ['4', '4'],
  ['5', '5'],
];

interface Properties {
  readonly isOff: boolean;
  readonly onPress: (key: Key) => void;
}

/** Keys that a phone's own keyboard does not have, and those that answer most questions. */
export function TerminalKeys({ isOff, onPress }: Properties): JSX.Element {
  return (
    <div class="terminal-keys" role="group" aria-label="Keys">
      {keys.map(([key, face, name]) => (
        <button
          key={key}
          type="button"
          class="button small"
          aria-label={name}
          disabled={isOff}
          // The field keeps the focus, and the phone's keyboard stays where it is.
          onMouseDown={event => event.preventDefault()}
          onClick={() => onPress(key)}
        >
          {face}
        </button>
      ))}
    </div>
  );
}
