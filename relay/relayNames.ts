import { hostname, networkInterfaces } from 'node:os';

/** What the relay is reached by. */
export interface ListeningAt {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: URL | undefined;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * The names this relay answers to. A page that points its own name at this machine (DNS rebinding) sends that name as
 * Host, so only names that are ours are served.
 */
export class RelayNames {
  readonly #publicUrl: URL | undefined;
  readonly #port: number;
  readonly #isWildcard: boolean;
  readonly #hosts: ReadonlySet<string>;

  constructor({ host, port, publicUrl }: ListeningAt) {
    this.#publicUrl = publicUrl;
    this.#port = port;
    this.#isWildcard = host === '0.0.0.0' || host === '::';
    const names = this.#isWildcard ? [...LOOPBACK, hostname()] : [...LOOPBACK, bracketed(host)];
    this.#hosts = new Set(names.map(name => hostOf(`http://${name}:${port}`)));
  }

  /** @param header the Host header as sent */
  accepts(header: string | undefined): boolean {
    const host = header === undefined ? '' : hostOf(`http://${header}`);
    return host !== '' && (this.#isListenedTo(host) || this.#isPublic(header));
  }

  /**
   * The origins that a peer which sent this Host may have been configured with and signed (protocol.md K14): a proxy may
   * have replaced the public name by ours.
   */
  socketOrigins(header: string | undefined): readonly string[] {
    const origins: string[] = [];
    const host = header === undefined ? '' : hostOf(`http://${header}`);
    if (this.#publicUrl !== undefined)
      origins.push(`${socketScheme(this.#publicUrl)}//${this.#publicUrl.host}`);
    if (this.#isListenedTo(host)) origins.push(`ws://${host}`);
    return origins;
  }

  /** Whether a page of this Origin is the app that this relay serves. @param origin the Origin header */
  isOwnPage(origin: string, header: string | undefined): boolean {
    const page = URL.parse(origin);
    if (page === null) return false;
    if (this.#publicUrl !== undefined && page.origin === this.#publicUrl.origin) return true;
    const host = header === undefined ? '' : hostOf(`http://${header}`);
    return page.protocol === 'http:' && page.host === host && this.#isListenedTo(host);
  }

  #isPublic(header: string | undefined): boolean {
    if (this.#publicUrl === undefined || header === undefined) return false;
    return hostOf(`${this.#publicUrl.protocol}//${header}`) === this.#publicUrl.host;
  }

  #isListenedTo(host: string): boolean {
    if (this.#hosts.has(host)) return true;
    if (!this.#isWildcard) return false;
    const all = Object.values(networkInterfaces()).flatMap(list => list ?? []);
    return all.some(each => hostOf(`http://${bracketed(each.address)}:${this.#port}`) === host);
  }
}

function socketScheme(url: URL): string {
  return url.protocol === 'https:' ? 'wss:' : 'ws:';
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** Lower case, default port removed; empty when `url` is more or less than scheme and host. */
function hostOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed?.pathname !== '/' || parsed.username !== '') return '';
  return /[/?#@\\]/.test(url.slice(url.indexOf('//') + 2)) ? '' : parsed.host;
}
