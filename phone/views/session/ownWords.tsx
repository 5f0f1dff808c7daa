import { useState } from 'preact/hooks';
import type { JSX } from 'preact';

/** UTF-16 units of an answer in own words. */
const customChars = 4_096;

interface Properties {
  readonly isOff: boolean;
  readonly onAnswer: (words: string) => void;
}

/** Room for an answer that was not offered. */
export function OwnWords({ isOff, onAnswer }: Properties): JSX.Element {
  const [words, setWords] = useState('');
  return (
    <form
      class="own-words"
      onSubmit={event => {
        event.preventDefault();
        if (words.trim() !== '' && !isOff) onAnswer(words.trim());
      }}
    >
      <label class="field">
        <span>Or in your own words</span>
        <input
          type="text"
          maxLength={customChars}
          autocomplete="off"
          enterkeyhint="send"
          value={words}
          onInput={event => setWords(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button" disabled={isOff || words.trim() === ''}>
        Answer
      </button>
    </form>
  );
}
