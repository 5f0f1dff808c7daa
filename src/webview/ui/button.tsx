import type { JSX } from 'preact';

interface Properties {
  readonly label: string;
  readonly quiet?: boolean;
  readonly onPress: () => void;
}

/** A push button in the editor's own colours. */
export function Button({ label, quiet = false, onPress }: Properties): JSX.Element {
  return (
    <button type="button" class={quiet ? 'secondary' : ''} onClick={onPress}>
      {label}
    </button>
  );
}
