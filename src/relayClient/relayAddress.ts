import { relayOrigin } from '../../core/crypto/relayOrigin.ts';

/** Where a relay is, from the address that the user gave. */
export interface RelayAddress {
  /** For HTTP calls and for the phone app; without a trailing slash. */
  readonly httpUrl: string;
  readonly socketUrl: string;
  /** What signatures name (protocol.md K14). */
  readonly origin: string;
}

/** @returns undefined when `text` is no http or https address */
export function parseRelayAddress(text: string): RelayAddress | undefined {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return undefined;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  const httpUrl = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  const socketUrl = `${httpUrl.replace(/^http/, 'ws')}/v1/socket`;
  const origin = relayOrigin(socketUrl);
  return origin === undefined ? undefined : { httpUrl, socketUrl, origin };
}
