// How phones reach the relay that `npm start` starts.
import os from 'node:os';
import { CommandFailed } from '../process/processes.mjs';

/** The first IPv4 address of this machine in a private network; undefined when it has none. */
export function lanAddress(interfaces = os.networkInterfaces()) {
  const addresses = Object.values(interfaces).flatMap(list => list ?? []);
  const isPrivate = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/;
  return addresses.find(
    ({ family, internal, address }) => family === 'IPv4' && !internal && isPrivate.test(address),
  )?.address;
}

/**
 * @param {{ lan: boolean, publicUrl: string | undefined }} wanted
 * @param {number} port
 * @returns {{ kind: 'local' | 'lan' | 'public', url: string, env: Record<string, string> }} the address for editor and
 *   phones, and what the relay is told
 */
export function reachOf({ lan, publicUrl }, port) {
  if (lan && publicUrl !== undefined) throw new CommandFailed('Choose --lan or --public-url, not both.', '');
  if (publicUrl !== undefined) {
    const url = parseUrl(publicUrl);
    if (
      url === undefined ||
      url.protocol !== 'https:' ||
      url.pathname !== '/' ||
      url.search !== '' ||
      url.hash !== ''
    )
      throw new CommandFailed(
        '--public-url takes an https address without a path, such as https://relay.example',
        '',
      );
    return { kind: 'public', url: url.origin, env: { PUBLIC_URL: url.origin } };
  }
  if (!lan) return { kind: 'local', url: `http://127.0.0.1:${port}`, env: {} };
  const address = lanAddress();
  if (address === undefined) throw new CommandFailed('This machine has no address in a local network.', '');
  return { kind: 'lan', url: `http://${address}:${port}`, env: { HOST: '0.0.0.0' } };
}

/** As URL.parse, for a Node that lacks it. */
function parseUrl(text) {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
