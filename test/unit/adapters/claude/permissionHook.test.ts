import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasPermissionHook, permissionHookSettings } from '../../../../src/adapters/claude/permissionHook.ts';

/** The command of the one hook that the settings have. */
function commandOf(settings: string): string {
  const parsed: unknown = JSON.parse(settings);
  let command = '';
  JSON.stringify(parsed, (key, value: unknown) => {
    if (key === 'command' && typeof value === 'string') command = value;
    return value;
  });
  return command;
}

describe('the hook that Claude Code is given', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'ph-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is one for permission dialogs, and nothing else is set', () => {
    const settings: unknown = JSON.parse(permissionHookSettings(['/node', '/keeper.cjs', 'hook', '/run']));
    const command = "exec env ELECTRON_RUN_AS_NODE=1 '/node' '/keeper.cjs' 'hook' '/run'";
    const hooks = { PermissionRequest: [{ hooks: [{ type: 'command', command, timeout: 82_800 }] }] };
    assert.deepEqual(settings, { hooks });
  });

  it('is given to no version that may not know it', () => {
    const known = [
      '1.0.128',
      '2.0.76',
      '2.1.0',
      '2.1.197',
      '2.1.332',
      '2.12.1',
      '3.0.0',
      '10.0.0',
      '',
    ].filter(hasPermissionHook);
    assert.deepEqual(known, ['2.1.0', '2.1.197', '2.1.332', '2.12.1', '3.0.0', '10.0.0']);
  });

  for (const shell of ['sh', 'bash', 'dash'])
    it(`runs in ${shell} from any path, as the process that was started, and lets nothing in it run`, function () {
      if (spawnSync(shell, ['-c', 'true']).error !== undefined) this.skip();
      const odd = `a b'c"d\`e$(touch run)f\${HOME}g日本\\h;i&j|k*!~#\nl`;
      const directory = join(folder, odd);
      mkdirSync(directory);
      const program = join(directory, 'program.cjs');
      writeFileSync(
        program,
        'console.log(JSON.stringify([process.pid, process.argv.slice(2), process.env.ELECTRON_RUN_AS_NODE]))',
      );
      const command = commandOf(permissionHookSettings([process.execPath, program, 'hook', directory]));
      const { pid, stdout, stderr } = spawnSync(shell, ['-c', command], { cwd: folder, encoding: 'utf8' });
      assert.equal(stderr, '');
      assert.deepEqual(JSON.parse(stdout), [pid, ['hook', directory], '1']);
    });
});
