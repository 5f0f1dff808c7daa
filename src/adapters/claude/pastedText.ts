const pasted = /<(pasted_content id="[0-9A-Za-z_-]{1,64}")>\n([^]*?)\n<\/\1>/g;

/** A user's words without the marks that Claude Code 2.1.332 puts around what was pasted, for the model alone. */
export function withoutPasteMarks(text: string): string {
  return text.replace(pasted, '$2');
}
