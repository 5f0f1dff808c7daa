/** Longer command lines are for people to read. UTF-16 units. */
const maxChars = 2_048;

// No character here means anything to a POSIX shell: no quote that expands, no glob, no home, no variable, no escape. A
// `=` does at the beginning of a word of zsh, so it stands further in only. Blanks are plain spaces.
const word = String.raw`(?:"[\w.,:@+/= -]+"|[\w.,:@+/-][\w.,:@+/=-]*)`;
const plainLine = new RegExp(`^${word}(?: +${word})*$`);
const words = new RegExp(word, 'g');

/**
 * The words of a command line whose meaning is beyond doubt: one program and its arguments. It knows what it allows, not
 * what it forbids, so whatever is unknown to it makes the whole line unknown.
 *
 * @returns undefined for anything but plain words and double quotes around plain words
 */
export function plainWords(command: string): readonly string[] | undefined {
  if (command.length > maxChars || !plainLine.test(command)) return undefined;
  return [...command.matchAll(words)].map(([text]) => text.replaceAll('"', ''));
}
