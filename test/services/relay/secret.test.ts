import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deviceId } from '../../../core/protocol/ids.ts';
import { openSqlite } from '../../../relay/store/openSqlite.ts';
import { SqlRegistry } from '../../../relay/store/sqlRegistry.ts';

describe('relay: the secret that it signs resume tokens with [T45]', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'relay secret '));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  async function open(): Promise<SqlRegistry> {
    const opened = await openSqlite(directory);
    assert.ok(opened.ok);
    return new SqlRegistry(opened.value);
  }

  it('is drawn once, by whoever asks first, and stays', async () => {
    const registry = await open();
    const [one, two] = await Promise.all([registry.secret('resume'), registry.secret('resume')]);
    assert.equal(one.length, 32);
    assert.deepEqual(one, two);
    assert.notDeepEqual(await registry.secret('another'), one);
    await registry.close();
    const later = await open();
    assert.deepEqual(await later.secret('resume'), one);
    await later.close();
  });

  it('is added to a registry of before there were resume tokens, which keeps its devices', async () => {
    await (await open()).close();
    const database = new DatabaseSync(join(directory, 'relay.db'));
    database.exec('DROP TABLE secrets');
    database.exec(
      "INSERT INTO devices VALUES ('dev_1', 'b_1', x'04', 'owner', 1, NULL); PRAGMA user_version = 1",
    );
    database.close();
    const registry = await open();
    assert.equal((await registry.secret('resume')).length, 32);
    assert.equal((await registry.findDevice(deviceId.parse('dev_1')))?.bridgeId, 'b_1');
    await registry.close();
  });
});
