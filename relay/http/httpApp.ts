import { Hono } from 'hono';
import { relayLimits } from '../limits/relayLimits.ts';
import type { ApiEnv, ApiPorts } from './apiPorts.ts';
import { deviceRoutes } from './deviceRoutes.ts';
import { pairRoutes } from './pairRoutes.ts';
import { refuse } from './refuse.ts';
import { staticApp } from './staticApp.ts';
import { tokenRoutes } from './tokenRoutes.ts';

/** The HTTP side: pairing, devices, tokens, and the phone app's files. It never sees a session. */
export function httpApp(ports: ApiPorts): Hono<ApiEnv> {
  const { names, log, version } = ports;
  const app = new Hono<ApiEnv>();

  app.use(async (c, next) => {
    await next();
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
    log.debug('http', { method: c.req.method, status: c.res.status });
  });
  app.use(async (c, next) => {
    const host = c.req.header('host');
    if (!names.accepts(host)) {
      const hint = 'This relay does not answer to that name. Set PUBLIC_URL to the address that phones use.';
      return refuse(c, 421, 'unauthorized', hint);
    }
    const origin = c.req.header('origin');
    if (origin !== undefined && !names.isOwnPage(origin, host))
      return refuse(c, 403, 'unauthorized', 'Another page may not use this relay.');
    return next();
  });

  const api = new Hono<ApiEnv>();
  api.use(async (c, next) => {
    await next();
    c.header('Cache-Control', 'no-store');
  });
  api.use(async (c, next) => {
    // A body of unknown length is not read at all.
    const length = c.req.header('content-length') ?? (c.req.header('transfer-encoding') ? 'unknown' : '0');
    if (!/^\d{1,15}$/.test(length)) return refuse(c, 411, 'invalid_request', 'Say how long the body is.');
    if (Number(length) > relayLimits.bodyBytes)
      return refuse(c, 413, 'frame_too_large', 'The request is too large.');
    return next();
  });
  api.get('/health', c => c.json({ status: 'ok', version }));
  api.get('/version', c => c.json({ version, protocol: 1 }));
  api.route('/pair', pairRoutes(ports));
  api.route('/token', tokenRoutes(ports));
  api.route('/devices', deviceRoutes(ports));
  api.all('*', c => refuse(c, 404, 'not_found', 'There is nothing here.'));

  app.route('/v1', api);
  app.route('/', staticApp(ports));
  app.onError((error, c) => {
    log.error('http failed', { method: c.req.method, error: error.name });
    return refuse(c, 500, 'internal', 'The relay failed to answer.');
  });
  return app;
}
