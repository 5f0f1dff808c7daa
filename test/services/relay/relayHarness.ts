import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeLink } from '../../../platform/node/nodeLink.ts';
import type { RelayConfig } from '../../../relay/relayConfig.ts';
import { createRelayLog } from '../../../relay/relayLog.ts';
import { startRelay, type RunningRelay } from '../../../relay/startRelay.ts';
import { SkewClock } from './skewClock.ts';
import { proveAllAlive } from './testSocket.ts';

/** What an HTTP call answered; `body` is undefined when there was none. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** What a peer needs of a relay, wherever it runs. */
export type ReachedRelay = Pick<RelayHarness, 'url' | 'origin' | 'call'>;

/** A relay in this process on a free port and a directory of its own, with its clock and its log in hand. */
export class RelayHarness {
  readonly clock = new SkewClock();
  readonly logLines: string[] = [];
  readonly directory: string;
  readonly #settings: Partial<RelayConfig>;
  #running: RunningRelay | undefined;

  private constructor(directory: string, settings: Partial<RelayConfig>) {
    this.directory = directory;
    this.#settings = settings;
  }

  static async start(settings: Partial<RelayConfig> = {}): Promise<RelayHarness> {
    const harness = new RelayHarness(await mkdtemp(join(tmpdir(), 'relay test ')), settings);
    await harness.run();
    return harness;
  }

  get url(): string {
    assert.ok(this.#running !== undefined);
    return this.#running.url;
  }

  /** host:port */
  get host(): string {
    return new URL(this.url).host;
  }

  /** The origin that peers sign. */
  get origin(): string {
    return `ws://${this.host}`;
  }

  get config(): RelayConfig {
    return {
      host: '127.0.0.1',
      port: 0,
      dataDir: join(this.directory, 'data'),
      publicUrl: undefined,
      phoneDir: join(this.directory, 'phone'),
      logLevel: 'debug',
      trustProxy: false,
      ...this.#settings,
    };
  }

  async run(): Promise<void> {
    const log = createRelayLog('debug', { write: line => this.logLines.push(line) });
    const { config, clock } = this;
    const started = await startRelay({ config, clock, port: nodeLink, log, version: '0.0.0-test' });
    assert.ok(started.ok, started.ok ? '' : started.code);
    this.#running = started.value;
  }

  /** Lets time pass while everyone who is connected answers. */
  async pass(ms: number): Promise<void> {
    for (let rest = ms; rest > 0; rest -= 60_000) {
      await proveAllAlive();
      this.clock.push(Math.min(rest, 60_000));
    }
  }

  async halt(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }

  async dispose(): Promise<void> {
    await this.halt();
    await rm(this.directory, { recursive: true, force: true });
  }

  call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    return callRelay(this.url, method, path, options);
  }
}

export interface CallOptions {
  readonly body?: unknown;
  readonly token?: string;
}

export async function callRelay(
  url: string,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const headers = new Headers();
  if (options.body !== undefined) headers.set('content-type', 'application/json');
  if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`);
  const body = options.body === undefined ? null : JSON.stringify(options.body);
  const response = await fetch(url + path, { method, headers, body });
  const text = await response.text();
  const parsed: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body: parsed };
}
