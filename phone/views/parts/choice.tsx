import { useId } from 'preact/hooks';
import type { JSX } from 'preact';

interface Properties<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly choose: (value: T) => void;
}

/** One of a few. */
export function Choice<T extends string>({ label, value, options, choose }: Properties<T>): JSX.Element {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {options.map(option => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => choose(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
