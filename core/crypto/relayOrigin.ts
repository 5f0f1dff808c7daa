const SOCKET_URL = /^(wss?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?(?:[/?#].*)?$/i;
const DEFAULT_PORT = { ws: 80, wss: 443 };

/**
 * The relay origin that register and hello sign: scheme://host[:port] of the configured socket URL, lower case,
 * default port and path removed. Source: rule K14. User names and passwords in the URL are refused.
 *
 * @returns nothing when `socketUrl` is no ws or wss URL
 */
export function relayOrigin(socketUrl: string): string | undefined {
  const match = SOCKET_URL.exec(socketUrl);
  const host = match?.[2]?.toLowerCase();
  if (match === null || host === undefined) return undefined;
  const scheme = match[1]?.toLowerCase() === 'ws' ? 'ws' : 'wss';
  const port = match[3] === undefined ? DEFAULT_PORT[scheme] : Number(match[3]);
  if (port < 1 || port > 65535) return undefined;
  return `${scheme}://${host}${port === DEFAULT_PORT[scheme] ? '' : `:${port}`}`;
}
