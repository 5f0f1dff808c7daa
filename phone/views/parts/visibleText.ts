/** A stretch of text; `hidden` ones stand for a character that could not be seen, or that moves others. */
export interface TextSpan {
  readonly text: string;
  readonly hidden: boolean;
}

// Control, format (bidirectional overrides, zero-width, tags), separators, private and unpaired ones, every space but
// the plain and the ideographic one, and letters that are drawn as nothing. Newline and tab show as what they are.
const unseen =
  /(?![\n\t\u0020\u3000])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\u115f\u1160\u3164\uffa0\u2800\u{e0100}-\u{e01ef}]/gu;

/** Splits a text so that nothing in it can hide: what could is written as its code point. */
export function visibleText(text: string): readonly TextSpan[] {
  const spans: TextSpan[] = [];
  let at = 0;
  for (const match of text.matchAll(unseen)) {
    if (match.index > at) spans.push({ text: text.slice(at, match.index), hidden: false });
    spans.push({ text: escapeOf(match[0]), hidden: true });
    at = match.index + match[0].length;
  }
  if (at < text.length) spans.push({ text: text.slice(at), hidden: false });
  return spans;
}

function escapeOf(character: string): string {
  if (character === '\r') return '\\r';
  if (character === '\u001b') return '\\e';
  const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  return `\\u{${hex}}`;
}
