import { Hono } from 'hono';
import { deviceId } from '../../core/protocol/ids.ts';
import { toTimestamp } from '../../core/protocol/timestamp.ts';
import { bearer, type ApiEnv, type ApiPorts } from './apiPorts.ts';
import { refuse } from './refuse.ts';

/** A bridge lists its devices and removes them. */
export function deviceRoutes(ports: ApiPorts): Hono<ApiEnv> {
  const { clock, hub, registry, log } = ports;
  const app = new Hono<ApiEnv>();

  app.get('/', async c => {
    const window = bearer(hub, c);
    if (window === undefined) return refuse(c, 401, 'unauthorized', 'Only a connected bridge may do this.');
    const devices = await registry.devicesOf(window.bridgeId);
    const online = hub.group(window.bridgeId)?.phones;
    return c.json({
      devices: devices.map(device => ({
        device_id: device.deviceId,
        role: device.role,
        created_at: toTimestamp(device.createdAt),
        online: online?.has(device.deviceId) === true,
      })),
    });
  });

  app.delete('/:id', async c => {
    const window = bearer(hub, c);
    if (window === undefined) return refuse(c, 401, 'unauthorized', 'Only a connected bridge may do this.');
    const id = deviceId.safeParse(c.req.param('id'));
    const { bridgeId } = window;
    if (!id.success || !(await registry.revokeDevice(bridgeId, id.data, clock.now())))
      return refuse(c, 404, 'not_found', 'There is no such device.');
    hub.revokePhone(bridgeId, id.data, 'revoked');
    log.info('device revoked', { bridge: bridgeId, device: id.data });
    return c.body(null, 204);
  });

  return app;
}
