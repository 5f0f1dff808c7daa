import { Hono } from 'hono';
import * as z from 'zod/mini';
import {
  pairCancelRequest,
  pairClaimRequest,
  pairConfirmRequest,
  pairStartRequest,
} from '../../core/protocol/httpApi.ts';
import { limits } from '../../core/protocol/limits.ts';
import { pairingSession } from '../../core/protocol/ids.ts';
import { toTimestamp } from '../../core/protocol/timestamp.ts';
import { AddressWindow } from '../limits/addressWindow.ts';
import { relayLimits } from '../limits/relayLimits.ts';
import type { Hub } from '../routing/hub.ts';
import type { Pairing } from '../routing/pairings.ts';
import { addressOf, bearer, type ApiEnv, type ApiPorts } from './apiPorts.ts';
import { newTokens } from './newTokens.ts';
import { readBody } from './readBody.ts';
import { refuse } from './refuse.ts';

const startBody = z.strictObject(pairStartRequest.shape);
const claimBody = z.strictObject(pairClaimRequest.shape);
const confirmBody = z.strictObject(pairConfirmRequest.shape);
const cancelBody = z.strictObject(pairCancelRequest.shape);

const NOT_A_BRIDGE = 'Only a connected bridge may do this.';
const BAD_BODY = 'The request is not what this address expects.';
/** Of an uncompressed P-256 point. */
const UNCOMPRESSED = 4;

/** Pairing: a bridge opens one, a phone claims it, the bridge confirms or cancels. */
export function pairRoutes(ports: ApiPorts): Hono<ApiEnv> {
  const { clock, hub, pairings, registry, log } = ports;
  const claims = new AddressWindow({
    attempts: relayLimits.claimsPerWindow,
    windowMs: relayLimits.windowMs,
    addresses: relayLimits.countedAddresses,
  });
  const app = new Hono<ApiEnv>();

  app.post('/start', async c => {
    const window = bearer(hub, c);
    if (window === undefined) return refuse(c, 401, 'unauthorized', NOT_A_BRIDGE);
    const body = await readBody(c, startBody);
    if (!body.ok) return refuse(c, 400, body.code, BAD_BODY);
    const { bridge_id: bridge, instance_id: instance } = body.value;
    if (bridge !== window.bridgeId || instance !== window.instanceId)
      return refuse(c, 403, 'unauthorized', 'A bridge pairs for itself only.');
    const pairing = pairings.start(bridge, instance);
    if (!pairing.ok) {
      const wait = Math.ceil(limits.pairingMs / 1000);
      return refuse(c, 429, pairing.code, 'Too many pairings are under way.', wait);
    }
    log.info('pair start', { bridge, pair: pairing.value.pairId });
    const expiresAt = toTimestamp(clock.now() + limits.pairingMs);
    return c.json({ pair_id: pairing.value.pairId, expires_at: expiresAt });
  });

  app.post('/claim', async c => {
    const wait = claims.attempt(addressOf(c, ports.trustProxy), clock.monotonic());
    if (wait > 0) return refuse(c, 429, 'rate_limited', 'Too many tries. Wait a moment.', wait);
    const body = await readBody(c, claimBody);
    if (!body.ok) return refuse(c, 400, body.code, BAD_BODY);
    const ticket = pairings.claim(body.value.pair_id);
    if (ticket === undefined) {
      tellWindow(hub, pairings.windowOf(body.value.pair_id));
      return refuse(c, 404, 'unauthorized', 'This code does not work. Make a new one at the desk.');
    }
    return c.json({ pair_ticket: ticket });
  });

  app.post('/confirm', async c => {
    const window = bearer(hub, c);
    if (window === undefined) return refuse(c, 401, 'unauthorized', NOT_A_BRIDGE);
    const body = await readBody(c, confirmBody);
    if (!body.ok) return refuse(c, 400, body.code, BAD_BODY);
    const { pair_id: pair, device_id: deviceId, K_d, role } = body.value;
    const deviceKey = new Uint8Array(Buffer.from(K_d, 'base64'));
    if (deviceKey[0] !== UNCOMPRESSED) return refuse(c, 400, 'invalid_request', BAD_BODY);
    const pairing = pairings.confirmable(window.bridgeId, pair);
    if (pairing === undefined)
      return refuse(c, 404, 'not_found', 'This pairing is over. Make a new code at the desk.');
    // Taken before anything is awaited: one pairing makes one device.
    pairings.remove(window.bridgeId, pair);
    const now = clock.now();
    const tokens = newTokens(now);
    const { bridgeId } = window;
    const added = await registry.addDevice(
      { deviceId, bridgeId, deviceKey, role, createdAt: now, revokedAt: undefined },
      tokens.stored,
    );
    if (!added.ok && added.code === 'full')
      return refuse(c, 409, 'busy', `This machine has ${limits.devices} devices. Remove one first.`);
    if (!added.ok) return refuse(c, 409, 'request_conflict', 'This device id is in use.');
    log.info('pair confirm', { bridge: bridgeId, pair, device: deviceId });
    return c.json(tokens.shown);
  });

  app.post('/cancel', async c => {
    const window = bearer(hub, c);
    if (window === undefined) return refuse(c, 401, 'unauthorized', NOT_A_BRIDGE);
    const body = await readBody(c, cancelBody);
    if (!body.ok) return refuse(c, 400, body.code, BAD_BODY);
    const pair = body.value.pair_id;
    if (!pairings.remove(window.bridgeId, pair))
      return refuse(c, 404, 'not_found', 'There is no such pairing.');
    hub.endPairing(window.bridgeId, pair, 'unauthorized');
    log.info('pair cancel', { bridge: window.bridgeId, pair });
    return c.body(null, 204);
  });

  return app;
}

/** The desk shows that a phone came with a code that was used or expired; the phone hears no difference. */
function tellWindow(hub: Hub, late: Pairing | undefined): void {
  if (late === undefined) return;
  const window = hub.group(late.bridgeId)?.instances.get(late.instanceId);
  const session_id = pairingSession(late.pairId);
  window?.endpoint.tell({ type: 'error', code: 'unauthorized', message: 'late phone', session_id });
}
