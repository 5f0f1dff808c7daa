import assert from 'node:assert/strict';
import { isInstalled, lockStamp } from '../../../scripts/install/lockStamp.mjs';

const lock = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages });
const wanted = lock({
  '': { name: 'project' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/b-win32': { version: '2.0.0', integrity: 'sha512-b', optional: true },
});

describe('the stamp of the lock file', () => {
  it('changes with the lock, the platform and the architecture, and with nothing else', () => {
    const stamp = lockStamp(wanted, 'linux', 'x64');
    assert.equal(lockStamp(wanted, 'linux', 'x64'), stamp);
    assert.notEqual(lockStamp(`${wanted} `, 'linux', 'x64'), stamp);
    assert.notEqual(lockStamp(wanted, 'darwin', 'x64'), stamp);
    assert.notEqual(lockStamp(wanted, 'linux', 'arm64'), stamp);
  });

  it('takes packages as installed when only optional ones of other platforms are missing', () => {
    assert.ok(isInstalled(wanted, lock({ 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } })));
  });

  it('asks for an installation when a package is missing, older, or of other content', () => {
    assert.ok(!isInstalled(wanted, lock({})));
    assert.ok(!isInstalled(wanted, lock({ 'node_modules/a': { version: '0.9.0', integrity: 'sha512-a' } })));
    assert.ok(!isInstalled(wanted, lock({ 'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' } })));
  });
});
