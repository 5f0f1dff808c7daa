const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  rarr: '→',
  larr: '←',
  times: '×',
};

/** Resolves character references as a browser would for HTML; unknown ones stay as they are. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|\w{2,8});/g, (whole, reference: string) => {
    if (!reference.startsWith('#')) return named[reference] ?? whole;
    const digits = reference.slice(1);
    return character(/^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits)) ?? whole;
  });
}

function character(point: number): string | undefined {
  const isScalar = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return isScalar ? String.fromCodePoint(point) : undefined;
}
