import { useEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { FromWebview } from '../messages.ts';
import { Button } from './button.tsx';
import { Refused } from './refused.tsx';

const digits = 6;

interface Properties {
  readonly phoneName: string;
  readonly refused: number;
  readonly send: (message: FromWebview) => void;
}

/** Takes the six digits that the phone shows. The desk never shows them itself. */
export function CodeForm({ phoneName, refused, send }: Properties): JSX.Element {
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const complete = code.length === digits;
  const submit = (): void => {
    if (complete) send({ type: 'code', code });
  };
  return (
    <form
      class="step"
      onSubmit={event => {
        event.preventDefault();
        submit();
      }}
    >
      <p>
        <strong>{phoneName}</strong> has scanned the code. Type the six digits that it shows.
      </p>
      <input
        ref={field}
        class="code"
        aria-label="Six digits from the phone"
        inputMode="numeric"
        autocomplete="off"
        spellcheck={false}
        placeholder="000000"
        value={code}
        onInput={event => setCode(event.currentTarget.value.replaceAll(/\D/g, '').slice(0, digits))}
      />
      <div class="buttons">
        <button type="submit" disabled={!complete}>
          Pair
        </button>
        <Button label="Cancel" quiet onPress={() => send({ type: 'cancel' })} />
      </div>
      <p class="quiet">There is one try. If the phone is not in your hand, cancel.</p>
      <Refused count={refused} />
    </form>
  );
}
