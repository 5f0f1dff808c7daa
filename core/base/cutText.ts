/** At most `max` UTF-16 units of `text`, without half a surrogate pair at the end. */
export function cutText(text: string, max: number): string {
  const cut = text.slice(0, max);
  return isHighSurrogate(cut.charCodeAt(cut.length - 1)) ? cut.slice(0, -1) : cut;
}

/** The same with an ellipsis where something was left out. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${cutText(text, max - 1)}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
