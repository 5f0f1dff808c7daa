import { Hono } from 'hono';
import * as z from 'zod/mini';
import { tokenRefreshRequest } from '../../core/protocol/httpApi.ts';
import { AddressWindow } from '../limits/addressWindow.ts';
import { relayLimits } from '../limits/relayLimits.ts';
import { digestOf } from '../routing/token.ts';
import { addressOf, type ApiEnv, type ApiPorts } from './apiPorts.ts';
import { newTokens } from './newTokens.ts';
import { readBody } from './readBody.ts';
import { isRefreshProof } from './refreshProof.ts';
import { refuse } from './refuse.ts';

const refreshBody = z.strictObject(tokenRefreshRequest.shape);

/** Rotating refresh tokens. Without the device key a token is worth nothing, not even to end the others. */
export function tokenRoutes(ports: ApiPorts): Hono<ApiEnv> {
  const { clock, hub, registry, log } = ports;
  const refreshes = new AddressWindow({
    attempts: relayLimits.refreshesPerWindow,
    windowMs: relayLimits.windowMs,
    addresses: relayLimits.countedAddresses,
  });
  const app = new Hono<ApiEnv>();

  app.post('/refresh', async c => {
    const wait = refreshes.attempt(addressOf(c, ports.trustProxy), clock.monotonic());
    if (wait > 0) return refuse(c, 429, 'rate_limited', 'Too many tries. Wait a moment.', wait);
    const body = await readBody(c, refreshBody);
    if (!body.ok) return refuse(c, 400, body.code, 'The request is not what this address expects.');
    const { device_id: id, refresh_token: token, proof } = body.value;
    const device = await registry.findDevice(id);
    const shown = { device: id, token, proof: Buffer.from(proof, 'base64') };
    const origins = ports.names.socketOrigins(c.req.header('host'));
    if (device === undefined || !isRefreshProof(ports.port, origins, shown, device.deviceKey))
      return refuse(c, 401, 'unauthorized', 'Pair this phone again.');
    if (device.revokedAt !== undefined)
      return refuse(c, 403, 'revoked', 'This phone was removed at the desk.');
    const nowMs = clock.now();
    const tokens = newTokens(nowMs);
    const rotated = await registry.rotate({
      deviceId: id,
      shown: digestOf(token),
      next: tokens.stored,
      nowMs,
    });
    if (rotated.ok) return c.json(tokens.shown);
    if (rotated.code === 'reused') {
      log.warn('refresh token reused', { device: id });
      hub.revokePhone(device.bridgeId, id, 'unauthorized');
    }
    return refuse(c, 401, 'unauthorized', 'Pair this phone again.');
  });

  return app;
}
