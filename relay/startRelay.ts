import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Clock } from '../core/base/clock.ts';
import { fail, ok, type Result } from '../core/base/result.ts';
import type { LinkPort } from '../core/crypto/linkPort.ts';
import { httpApp } from './http/httpApp.ts';
import { relayLimits } from './limits/relayLimits.ts';
import type { RelayConfig } from './relayConfig.ts';
import type { RelayLog } from './relayLog.ts';
import { RelayNames } from './relayNames.ts';
import { ResumePermits } from './resume/resumePermits.ts';
import { Hub } from './routing/hub.ts';
import { Pairings } from './routing/pairings.ts';
import { openSqlite, type OpenFailure } from './store/openSqlite.ts';
import type { Registry } from './store/registry.ts';
import { SqlRegistry } from './store/sqlRegistry.ts';
import { Dispatcher } from './ws/dispatcher.ts';
import { SocketGate } from './ws/socketGate.ts';

/** What a relay is made of. */
export interface RelayOptions {
  readonly config: RelayConfig;
  readonly clock: Clock;
  readonly port: LinkPort;
  readonly log: RelayLog;
  readonly version: string;
}

/** A relay that listens. */
export interface RunningRelay {
  /** http://address:port, without a path. */
  readonly url: string;
  /** Closes sockets with 1012, ends HTTP, frees the data directory. Bounded by `stopMs`. */
  stop(): Promise<void>;
}

export type StartFailure = OpenFailure | 'address_in_use' | 'cannot_listen';

/** Reads at most this much of a socket at a time, so that idle sockets stay small. */
const HIGH_WATER_MARK = 4_096;
const HTTP_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  maxHeaderSize: 8_192,
  highWaterMark: HIGH_WATER_MARK,
};

/** Opens the data directory, then listens. */
export async function startRelay(options: RelayOptions): Promise<Result<RunningRelay, StartFailure>> {
  const { config, clock, port, log, version } = options;
  const opened = await openSqlite(config.dataDir);
  if (!opened.ok) return opened;
  const registry = new SqlRegistry(opened.value);
  const permits = await openPermits(registry, clock);
  if (permits === undefined) {
    await registry.close();
    return fail('unusable');
  }

  const server = createServer(HTTP_LIMITS);
  const listening = await listen(server, config.host, config.port);
  if (!listening.ok) {
    await registry.close();
    return listening;
  }
  const names = new RelayNames({ ...config, port: listening.value });
  const hub = new Hub(clock, permits);
  const pairings = new Pairings(clock);
  const { trustProxy, phoneDir } = config;
  const gate = new SocketGate({ clock, port, hub, names, log, trustProxy });
  const origins = (host: string | undefined): readonly string[] => names.socketOrigins(host);
  const slowDown = gate.slowDown.bind(gate);
  gate.start(new Dispatcher({ clock, port, registry, pairings, hub, log, origins, slowDown }));
  const app = httpApp({ clock, port, registry, hub, pairings, names, log, version, phoneDir, trustProxy });
  const respond = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('request', (request, response) => void respond(request, response));
  server.on('upgrade', (request, stream, head) => gate.upgrade(request, stream, head));
  return ok({
    url: `http://${shownHost(config.host)}:${listening.value}`,
    async stop() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      gate.endAll();
      server.closeIdleConnections();
      await Promise.race([closed, new Promise<void>(resolve => clock.after(relayLimits.stopMs, resolve))]);
      gate.dispose();
      server.closeAllConnections();
      await registry.close();
      log.info('stopped');
    },
  });
}

/** @returns nothing when the registry cannot keep their key */
async function openPermits(registry: Registry, clock: Clock): Promise<ResumePermits | undefined> {
  try {
    return await ResumePermits.create(await registry.secret('resume'), clock);
  } catch {
    return undefined;
  }
}

/** An address that can be opened on this machine. */
function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function listen(
  server: Server,
  host: string,
  port: number,
): Promise<Result<number, 'address_in_use' | 'cannot_listen'>> {
  return new Promise(resolve => {
    server.once('error', error => {
      const isInUse = Reflect.get(error, 'code') === 'EADDRINUSE';
      resolve(fail(isInUse ? 'address_in_use' : 'cannot_listen'));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? ok(address.port) : fail('cannot_listen'));
    });
  });
}
