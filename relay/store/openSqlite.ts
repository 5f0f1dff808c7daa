import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { migrate, schemaVersion, type Tables } from './tables.ts';

/** Why a data directory cannot be used; the sentence is for the person who starts the relay. */
export type OpenFailure = 'locked' | 'newer' | 'unusable';

const LOCKED = 5;

/**
 * Opens `relay.db` in `directory`, which is created for its owner only. The file stays locked until it is closed, so that
 * two relays never write one registry.
 */
export async function openSqlite(directory: string): Promise<Result<Kysely<Tables>, OpenFailure>> {
  let database: DatabaseSync;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    // Loaded late, so that the entry can first decide what becomes of the module's experimental warning.
    const sqlite = await import('node:sqlite');
    const path = join(directory, 'relay.db');
    database = new sqlite.DatabaseSync(path, { timeout: 0 });
    await chmod(path, 0o600);
  } catch {
    return fail('unusable');
  }
  const prepared = prepare(database);
  if (!prepared.ok) {
    database.close();
    return prepared;
  }
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: toKysely(database) }) });
  try {
    await migrate(db, prepared.value);
    return ok(db);
  } catch {
    await db.destroy();
    return fail('unusable');
  }
}

/** Takes the lock and reads the schema version. */
function prepare(database: DatabaseSync): Result<number, OpenFailure> {
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    // The lock is taken by the first write and then kept.
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    return version > schemaVersion ? fail('newer') : ok(version);
  } catch (error) {
    const isLocked = error instanceof Error && Reflect.get(error, 'errcode') === LOCKED;
    return fail(isLocked ? 'locked' : 'unusable');
  }
}

/** node:sqlite in the shape that the dialect was written for. */
function toKysely(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: parameters => statement.all(...parameters.map(toInput)),
        run: parameters => statement.run(...parameters.map(toInput)),
        iterate: parameters => statement.iterate(...parameters.map(toInput)),
      };
    },
  };
}

function toInput(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'bigint' || value instanceof Uint8Array) return value;
  throw new TypeError(`not a SQL value: ${typeof value}`);
}
