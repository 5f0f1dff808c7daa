import { randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import * as z from 'zod/mini';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { bridgeId, deviceId, type BridgeId, type DeviceId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import { relayLimits } from '../limits/relayLimits.ts';
import type { DeviceRecord, Registry, Rotation, StoredTokenPair } from './registry.ts';
import type { DevicesTable, RefreshTokensTable, Tables } from './tables.ts';

const role = z.enum(['owner', 'co_driver', 'viewer']);
/** A removed device is remembered this long, so that its phone can be told. */
const TOMBSTONE_MS = 90 * 24 * 3_600_000;
const SECRET_BYTES = 32;

/** The registry in SQL, through one query layer for every database. */
export class SqlRegistry implements Registry {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async findDevice(id: DeviceId): Promise<DeviceRecord | undefined> {
    const row = await this.#db
      .selectFrom('devices')
      .selectAll()
      .where('device_id', '=', id)
      .executeTakeFirst();
    return row === undefined ? undefined : toRecord(row);
  }

  async devicesOf(bridge: BridgeId): Promise<readonly DeviceRecord[]> {
    const rows = await this.#db
      .selectFrom('devices')
      .selectAll()
      .where('bridge_id', '=', bridge)
      .where('revoked_at', 'is', null)
      .orderBy('created_at')
      .orderBy('device_id')
      .execute();
    return rows.map(toRecord);
  }

  addDevice(device: DeviceRecord, tokens: StoredTokenPair): Promise<Result<true, 'taken' | 'full'>> {
    return this.#db.transaction().execute(async db => {
      await db
        .deleteFrom('devices')
        .where('revoked_at', '<', device.createdAt - TOMBSTONE_MS)
        .execute();
      const same = await db
        .selectFrom('devices')
        .select('device_id')
        .where('device_id', '=', device.deviceId)
        .executeTakeFirst();
      if (same !== undefined) return fail('taken');
      const others = await db
        .selectFrom('devices')
        .select('device_id')
        .where('bridge_id', '=', device.bridgeId)
        .where('revoked_at', 'is', null)
        .execute();
      if (others.length >= limits.devices) return fail('full');
      await db
        .insertInto('devices')
        .values({
          device_id: device.deviceId,
          bridge_id: device.bridgeId,
          device_key: device.deviceKey,
          role: device.role,
          created_at: device.createdAt,
          revoked_at: null,
        })
        .execute();
      await insertTokens(db, device.deviceId, tokens);
      return ok(true);
    });
  }

  revokeDevice(bridge: BridgeId, id: DeviceId, nowMs: number): Promise<boolean> {
    return this.#db.transaction().execute(async db => {
      const result = await db
        .updateTable('devices')
        .set({ revoked_at: nowMs })
        .where('device_id', '=', id)
        .where('bridge_id', '=', bridge)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      if (result.numUpdatedRows === 0n) return false;
      await forgetTokens(db, id);
      return true;
    });
  }

  async accessExpiry(id: DeviceId, digest: string): Promise<number | undefined> {
    const row = await this.#db
      .selectFrom('access_tokens')
      .select('expires_at')
      .where('digest', '=', digest)
      .where('device_id', '=', id)
      .executeTakeFirst();
    return row?.expires_at;
  }

  rotate(rotation: Rotation): Promise<Result<true, 'unauthorized' | 'reused'>> {
    const { deviceId: id, shown, next, nowMs } = rotation;
    return this.#db.transaction().execute(async db => {
      await forgetExpired(db, id, nowMs);
      const row = await db
        .selectFrom('refresh_tokens')
        .selectAll()
        .where('digest', '=', shown)
        .where('device_id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return fail('unauthorized');
      if (!(await mayRotate(db, row, nowMs))) {
        await forgetTokens(db, id);
        return fail('reused');
      }
      if (row.successor !== null)
        await db.deleteFrom('refresh_tokens').where('digest', '=', row.successor).execute();
      await db
        .updateTable('refresh_tokens')
        .set({ used_at: row.used_at ?? nowMs, successor: next.refresh.digest })
        .where('digest', '=', shown)
        .execute();
      await insertTokens(db, id, next);
      return ok(true);
    });
  }

  async secret(name: string): Promise<Uint8Array<ArrayBuffer>> {
    await this.#db
      .insertInto('secrets')
      .values({ name, value: new Uint8Array(randomBytes(SECRET_BYTES)) })
      .onConflict(conflict => conflict.column('name').doNothing())
      .execute();
    const row = await this.#db
      .selectFrom('secrets')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return new Uint8Array(row.value);
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }
}

/** Unused, or used a moment ago while nobody has used what it was exchanged for. */
async function mayRotate(
  db: Kysely<Tables>,
  row: Selectable<RefreshTokensTable>,
  nowMs: number,
): Promise<boolean> {
  if (row.used_at === null) return true;
  if (nowMs - row.used_at > relayLimits.refreshGraceMs || row.successor === null) return false;
  const successor = await db
    .selectFrom('refresh_tokens')
    .select('used_at')
    .where('digest', '=', row.successor)
    .executeTakeFirst();
  return successor?.used_at === null;
}

async function insertTokens(db: Kysely<Tables>, id: DeviceId, tokens: StoredTokenPair): Promise<void> {
  const { access, refresh } = tokens;
  await db
    .insertInto('access_tokens')
    .values({ digest: access.digest, device_id: id, expires_at: access.expiresAt })
    .execute();
  await db
    .insertInto('refresh_tokens')
    .values({
      digest: refresh.digest,
      device_id: id,
      expires_at: refresh.expiresAt,
      used_at: null,
      successor: null,
    })
    .execute();
}

async function forgetTokens(db: Kysely<Tables>, id: DeviceId): Promise<void> {
  await db.deleteFrom('access_tokens').where('device_id', '=', id).execute();
  await db.deleteFrom('refresh_tokens').where('device_id', '=', id).execute();
}

async function forgetExpired(db: Kysely<Tables>, id: DeviceId, nowMs: number): Promise<void> {
  await db.deleteFrom('access_tokens').where('device_id', '=', id).where('expires_at', '<=', nowMs).execute();
  await db
    .deleteFrom('refresh_tokens')
    .where('device_id', '=', id)
    .where('expires_at', '<=', nowMs)
    .execute();
}

function toRecord(row: Selectable<DevicesTable>): DeviceRecord {
  return {
    deviceId: deviceId.parse(row.device_id),
    bridgeId: bridgeId.parse(row.bridge_id),
    deviceKey: new Uint8Array(row.device_key),
    role: role.parse(row.role),
    createdAt: row.created_at,
    revokedAt: row.revoked_at ?? undefined,
  };
}
