import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOwnerFile, writeOwnerFile } from '../../../platform/node/files/ownerFile.ts';

describe('a file for its owner’s eyes', () => {
  let folder: string;
  let path: string;
  let umask: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'to-'));
    path = join(folder, 'keys', 'deep', 'secret.json');
    // Whatever is narrow in here was made so, and not by chance of the one who runs the tests.
    umask = process.umask(0);
  });
  afterEach(() => {
    process.umask(umask);
    rmSync(folder, { recursive: true, force: true });
  });

  const modeOf = (place: string): number => statSync(place).mode & 0o777;

  it('is 0600 in folders that are 0700, from its first moment', () => {
    writeOwnerFile(path, 'secret');
    assert.equal(modeOf(path), 0o600);
    assert.equal(modeOf(join(folder, 'keys')), 0o700);
    assert.equal(modeOf(join(folder, 'keys', 'deep')), 0o700);
    assert.equal(readOwnerFile(path), 'secret');
  });

  it('is replaced whole, also where a wider one was, and leaves nothing beside it', () => {
    writeOwnerFile(path, 'a longer secret');
    chmodSync(path, 0o666);
    writeOwnerFile(path, 'short');
    assert.equal(modeOf(path), 0o600);
    assert.equal(readFileSync(path, 'utf8'), 'short');
    assert.deepEqual(readdirSync(join(path, '..')), ['secret.json']);
  });

  for (const mode of [0o644, 0o640, 0o620, 0o604, 0o601, 0o777]) {
    it(`is narrowed from 0${mode.toString(8)} before it is read`, () => {
      writeOwnerFile(path, 'secret');
      chmodSync(path, mode);
      assert.equal(readOwnerFile(path), 'secret');
      assert.equal(modeOf(path), 0o600);
    });
  }

  it('is undefined where there is none', () => {
    assert.equal(readOwnerFile(path), undefined);
  });

  it('is refused when somebody else owns it', () => {
    // Only root can give a file away; anybody else has one that is root's at hand.
    let foreign = '/etc/passwd';
    if (process.getuid?.() === 0) {
      writeOwnerFile(path, 'planted');
      chownSync(path, 65_534, 65_534);
      foreign = path;
    }
    assert.throws(() => readOwnerFile(foreign), /belongs to somebody else/);
  });

  it('is refused when it is a link, also one to a file of ours', () => {
    const target = join(folder, 'target.json');
    writeOwnerFile(target, 'secret');
    const link = join(folder, 'link.json');
    symlinkSync(target, link);
    assert.throws(() => readOwnerFile(link), /not a file of ours/);
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling.json'));
    assert.throws(() => readOwnerFile(join(folder, 'dangling.json')), /not a file of ours/);
  });

  it('takes the place of a link instead of writing through it', () => {
    const target = join(folder, 'target.json');
    writeFileSync(target, 'untouched');
    const link = join(folder, 'link.json');
    symlinkSync(target, link);
    writeOwnerFile(link, 'secret');
    assert.equal(readFileSync(target, 'utf8'), 'untouched');
    assert.equal(readOwnerFile(link), 'secret');
  });

  it('is refused when it is a folder, or over a mebibyte', () => {
    mkdirSync(join(folder, 'folder.json'));
    assert.throws(() => readOwnerFile(join(folder, 'folder.json')), /not a file of ours/);
    writeOwnerFile(path, 'x'.repeat(1_048_577));
    assert.throws(() => readOwnerFile(path), /not a file of ours/);
    writeOwnerFile(path, 'x'.repeat(1_048_576));
    assert.equal(readOwnerFile(path)?.length, 1_048_576);
  });

  it('stays as it was when the disk has no room for all of the new content, and leaves nothing beside it', function () {
    if (process.platform === 'win32') this.skip();
    writeOwnerFile(path, 'old');
    const module = join(import.meta.dirname, '../../../platform/node/files/ownerFile.ts');
    const script = `import { writeOwnerFile } from ${JSON.stringify(module)}; writeOwnerFile(${JSON.stringify(path)}, 'x'.repeat(9_000));`;
    // As on a full disk, the system takes the beginning and no more.
    const limited = `trap "" XFSZ; ulimit -f 8; exec "$0" --input-type=module -e "$1"`;
    const { status } = spawnSync('/bin/sh', ['-c', limited, process.execPath, script]);
    assert.notEqual(status, 0);
    assert.equal(readOwnerFile(path), 'old');
    assert.deepEqual(readdirSync(join(folder, 'keys', 'deep')), ['secret.json']);
  });
});
