import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installKeeper } from '../../../src/terminal/installKeeper.ts';

describe('the installed keeper', () => {
  let folder: string;
  let source: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ki-'));
    source = join(folder, 'source');
    mkdirSync(join(source, 'node-pty'), { recursive: true });
    writeFileSync(join(source, 'keeper.cjs'), 'keeper');
    writeFileSync(join(source, 'node-pty', 'package.json'), '{}');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const install = (): string => installKeeper(source, join(folder, '自宅 home'), 1_000_000_000_000);

  it('is made again when something of it was removed', () => {
    const program = install();
    for (const missing of [program, join(dirname(program), 'node-pty')]) {
      rmSync(missing, { recursive: true });
      assert.equal(install(), program);
      assert.ok(existsSync(missing));
    }
  });

  it('leaves nothing half made behind when it cannot be copied', function () {
    if (process.platform === 'win32') this.skip();
    assert.equal(spawnSync('mkfifo', [join(source, 'node-pty', 'no-file')]).status, 0);
    assert.throws(install);
    assert.deepEqual(readdirSync(join(folder, '自宅 home')), []);
  });
});
