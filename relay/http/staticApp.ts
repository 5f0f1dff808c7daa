import { existsSync } from 'node:fs';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { ApiEnv, ApiPorts } from './apiPorts.ts';
import { refuse } from './refuse.ts';

/** Nothing but the app's own files; the socket is named since older browsers do not count it as 'self'. */
function contentSecurityPolicy(socketOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...socketOrigins].join(' ')}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Serves the phone app. Files under assets/ carry their hash in their name. */
export function staticApp({ phoneDir, names }: ApiPorts): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.use(async (c, next) => {
    await next();
    const isHashed = c.res.ok && c.req.path.startsWith('/assets/');
    c.header('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    c.header('Content-Security-Policy', contentSecurityPolicy(names.socketOrigins(c.req.header('host'))));
    c.header('Cross-Origin-Opener-Policy', 'same-origin');
    c.header('Permissions-Policy', 'camera=(self), microphone=(), geolocation=()');
  });
  if (existsSync(phoneDir)) {
    app.use(
      serveStatic({
        root: phoneDir,
        precompressed: true,
      }),
    );
  }
  app.all('*', c => refuse(c, 404, 'not_found', 'There is nothing here.'));
  return app;
}
