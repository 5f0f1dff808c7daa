import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { reopenTerminalProcess } from '../../../src/terminal/terminalProcess.ts';
import { reapOrphans } from '../../../src/terminal/reapOrphans.ts';
import { launchKeeper, type KeeperLaunchFailure } from '../../../src/terminal/keeperLauncher.ts';
import { keeperSocketPath } from '../../../src/terminal/keeperSocketPath.ts';
import { ownerOnlyDirectory } from '../../../src/terminal/ownerOnlyDirectory.ts';
import { runtimeDirectory, RuntimeDirectoryError } from '../../../src/terminal/runtimeDirectory.ts';
import { isAlive, keeperMain, KeptTerminals, untilTrue } from '../../fakes/keptTerminals.ts';

const { uid } = userInfo();
const signal = new AbortController().signal;

describe('the folder of running keepers', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'kr-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const mode = (path: string): number => lstatSync(path).mode & 0o777;

  it('is made for its owner alone, and made so again when it was opened', function () {
    if (process.platform === 'win32') this.skip();
    const directory = runtimeDirectory(folder);
    assert.equal(directory, join(folder, 'run'));
    assert.equal(mode(directory), 0o700);
    chmodSync(directory, 0o777);
    assert.equal(runtimeDirectory(folder), directory);
    assert.equal(mode(directory), 0o700);
  });

  it('is refused by name when it is another user’s, a link, a file, or cannot be made', function () {
    if (process.platform === 'win32') this.skip();
    const own = { platform: process.platform, uid };
    assert.deepEqual(ownerOnlyDirectory(folder, { ...own, uid: uid + 1 }), {
      ok: false,
      code: 'foreign_directory',
    });
    const link = join(folder, 'link');
    symlinkSync(folder, link);
    assert.deepEqual(ownerOnlyDirectory(link), { ok: false, code: 'linked_directory' });
    const nowhere = join(folder, 'nowhere');
    symlinkSync(join(folder, 'missing'), nowhere);
    assert.equal(ownerOnlyDirectory(nowhere).ok, false);
    const file = join(folder, 'file');
    writeFileSync(file, '');
    assert.deepEqual(ownerOnlyDirectory(file), { ok: false, code: 'linked_directory' });
    assert.deepEqual(ownerOnlyDirectory(join(folder, 'n'.repeat(300))), {
      ok: false,
      code: 'unwritable_directory',
    });
    assert.deepEqual(ownerOnlyDirectory(folder, { platform: 'win32', uid: uid + 1 }), {
      ok: true,
      value: folder,
    });
    symlinkSync(folder, join(folder, 'run'));
    assert.throws(
      () => runtimeDirectory(folder),
      error => error instanceof RuntimeDirectoryError && error.code === 'linked_directory',
    );
  });

  async function launchIn(directory: string): Promise<KeeperLaunchFailure | undefined> {
    const launched = await launchKeeper(
      { runtimeDirectory: directory, runtime: [process.execPath, keeperMain], unattendedMs: 60_000 },
      { argv: ['/bin/sleep', '60'], cwd: folder, env: {} },
      { output: () => undefined, exit: () => undefined, lost: () => undefined },
      signal,
      () => assert.fail('nothing is announced'),
    );
    if (launched.ok) launched.value.client.end(0);
    return launched.ok ? undefined : launched.code;
  }

  it('is looked at again at each start, and nothing is started where it is not ours alone', async function () {
    if (process.platform === 'win32') this.skip();
    const link = join(folder, 'link');
    symlinkSync(folder, link);
    assert.equal(await launchIn(link), 'linked_directory');
    const deep = join(folder, 'd'.repeat(100));
    assert.equal(await launchIn(deep), 'socket_path_too_long');
    rmSync(deep, { recursive: true });
    assert.equal(existsSync(deep), false);
  });

  it('is another one where a socket’s path would not fit', function () {
    if (process.platform === 'win32') this.skip();
    const deep = join(folder, 'd'.repeat(80));
    assert.equal(runtimeDirectory(deep), join(tmpdir(), `terminull-${String(uid)}`));
    assert.equal(runtimeDirectory(deep, 'win32'), join(deep, 'run'), 'pipes have no place there');
  });

  it('tells nobody the token where a keeper’s own folder is not ours', async function () {
    if (process.platform === 'win32') this.skip();
    const directory = join(folder, '0123456789abcdef');
    symlinkSync(folder, directory);
    const address = {
      id: '0123456789abcdef',
      socketPath: join(directory, 's'),
      token: 'x'.repeat(43),
      directory,
    };
    assert.deepEqual(await reopenTerminalProcess(address, signal), { ok: false, code: 'gone' });
    assert.ok(existsSync(directory), 'and nothing there is touched');
  });
});

describe('a keeper’s socket', () => {
  it('has a path that the system can hold, or is refused by name', () => {
    const path = (length: number, platform: NodeJS.Platform) =>
      keeperSocketPath(`/${'d'.repeat(length - 3)}`, platform);
    assert.equal(path(103, 'darwin').ok, true);
    assert.deepEqual(path(104, 'darwin'), { ok: false, code: 'socket_path_too_long' });
    assert.equal(path(107, 'linux').ok, true);
    assert.deepEqual(path(108, 'linux'), { ok: false, code: 'socket_path_too_long' });
    const wide = keeperSocketPath(`/${'日'.repeat(40)}`, 'linux');
    assert.deepEqual(wide, { ok: false, code: 'socket_path_too_long' }, 'bytes count, not characters');
  });

  it('is a pipe on Windows, whose name nobody can guess', () => {
    const names = Array.from({ length: 20 }, () => keeperSocketPath('C:\\'.padEnd(300, 'd'), 'win32'));
    for (const name of names) assert.ok(name.ok && /^\\\\\.\\pipe\\terminull-[0-9a-f]{32}$/.test(name.value));
    assert.equal(new Set(names.map(name => (name.ok ? name.value : ''))).size, 20);
  });
});

describe('what a killed keeper leaves', function () {
  this.timeout(30_000);
  let terminals: KeptTerminals;
  beforeEach(function () {
    if (process.platform === 'win32') this.skip();
    terminals = new KeptTerminals();
  });
  afterEach(() => terminals.dispose());

  it('is gone with its socket once somebody comes for it, or at the next start', async () => {
    for (const clean of [
      async (address: Parameters<typeof reopenTerminalProcess>[0]) =>
        assert.deepEqual(await reopenTerminalProcess(address, signal), { ok: false, code: 'gone' }),
      () => reapOrphans(terminals.folder, Date.now()),
    ]) {
      const { terminal, address, keeperPid } = await terminals.run('setInterval(() => undefined, 1000)');
      terminal.dispose();
      process.kill(keeperPid, 'SIGKILL');
      await untilTrue('it is dead', () => !isAlive(keeperPid));
      assert.ok(existsSync(address.socketPath), 'its socket is stale');
      await clean(address);
      assert.equal(existsSync(dirname(address.socketPath)), false);
      assert.equal(isAlive(terminal.pid), false);
    }
  });

  it('is made room for when even the folder of all keepers was removed', async () => {
    rmSync(terminals.folder, { recursive: true });
    const { terminal } = await terminals.start(['/bin/sleep', '60']);
    assert.ok(isAlive(terminal.pid));
  });
});
