import { sql, type Kysely } from 'kysely';

export interface DevicesTable {
  device_id: string;
  bridge_id: string;
  device_key: Uint8Array;
  role: string;
  created_at: number;
  revoked_at: number | null;
}

export interface AccessTokensTable {
  digest: string;
  device_id: string;
  expires_at: number;
}

export interface RefreshTokensTable {
  digest: string;
  device_id: string;
  expires_at: number;
  used_at: number | null;
  successor: string | null;
}

export interface SecretsTable {
  name: string;
  value: Uint8Array;
}

/** The registry's tables. Times are milliseconds since the epoch. */
export interface Tables {
  devices: DevicesTable;
  access_tokens: AccessTokensTable;
  refresh_tokens: RefreshTokensTable;
  secrets: SecretsTable;
}

const steps: readonly ((db: Kysely<Tables>) => Promise<void>)[] = [
  async db => {
    await db.schema
      .createTable('devices')
      .addColumn('device_id', 'text', column => column.primaryKey())
      .addColumn('bridge_id', 'text', column => column.notNull())
      .addColumn('device_key', 'blob', column => column.notNull())
      .addColumn('role', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('revoked_at', 'bigint')
      .execute();
    await db.schema
      .createTable('access_tokens')
      .addColumn('digest', 'text', column => column.primaryKey())
      .addColumn('device_id', 'text', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .execute();
    await db.schema
      .createTable('refresh_tokens')
      .addColumn('digest', 'text', column => column.primaryKey())
      .addColumn('device_id', 'text', column => column.notNull())
      .addColumn('expires_at', 'bigint', column => column.notNull())
      .addColumn('used_at', 'bigint')
      .addColumn('successor', 'text')
      .execute();
    await db.schema.createIndex('devices_bridge').on('devices').column('bridge_id').execute();
    await db.schema.createIndex('access_device').on('access_tokens').column('device_id').execute();
    await db.schema.createIndex('refresh_device').on('refresh_tokens').column('device_id').execute();
  },
  async db => {
    await db.schema
      .createTable('secrets')
      .addColumn('name', 'text', column => column.primaryKey())
      .addColumn('value', 'blob', column => column.notNull())
      .execute();
  },
];

/** The schema version that this program writes. */
export const schemaVersion = steps.length;

/** Brings the tables from version `from` to the newest, in one transaction. */
export async function migrate(db: Kysely<Tables>, from: number): Promise<void> {
  await db.transaction().execute(async transaction => {
    for (const step of steps.slice(from)) await step(transaction);
    await sql.raw(`PRAGMA user_version = ${schemaVersion}`).execute(transaction);
  });
}
