import { isIPv6 } from 'node:net';

/** What a request says about where it comes from. */
export interface RequestSource {
  readonly remoteAddress: string | undefined;
  /** The X-Forwarded-For header, if any. */
  readonly forwardedFor: string | undefined;
}

/**
 * The address that limits count. Behind a proxy it is what the proxy itself appended, the last entry; earlier ones are
 * the client's own words. An IPv6 address counts by its /64, which is what one subscriber holds.
 */
export function clientAddress(source: RequestSource, trustProxy: boolean): string {
  const forwarded = trustProxy ? source.forwardedFor?.split(',').at(-1)?.trim() : undefined;
  const address = forwarded === undefined || forwarded === '' ? source.remoteAddress : forwarded;
  if (address === undefined) return 'unknown';
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  return isIPv6(plain) ? subnetOf(plain) : plain;
}

function subnetOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  return `${groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
