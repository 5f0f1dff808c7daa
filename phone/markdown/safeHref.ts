const protocols = new Set(['http:', 'https:', 'mailto:']);

/** The address of a link when it is one that may be followed; anything else, relative ones included, is not. */
export function safeHref(href: string): string | undefined {
  const url = URL.parse(href);
  return url !== null && protocols.has(url.protocol) ? url.href : undefined;
}
