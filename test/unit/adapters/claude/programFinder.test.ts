import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClaudeAdapter } from '../../../../src/adapters/claude/claudeAdapter.ts';
import { createNodeProgramFinder } from '../../../../src/adapters/claude/nodeProgramFinder.ts';

describe('how Claude Code is found [T73] [T89]', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tn-'));
    mkdirSync(join(folder, 'bin'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function script(name: string, ...lines: readonly string[]): string {
    const file = join(folder, 'bin', name);
    writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'));
    chmodSync(file, 0o755);
    return file;
  }
  const environment = () => ({ PATH: `relative:${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder });
  const adapter = (executable?: string) =>
    createClaudeAdapter({
      finder: createNodeProgramFinder(environment()),
      ...(executable === undefined ? {} : { executable }),
    });

  it('by its name in PATH, with its version and absolute path', async () => {
    const file = script('claude', 'test "$1" = --version && echo "2.1.332 (Claude Code)"');
    const found = await adapter().detect(new AbortController().signal);
    assert.equal(found?.version, '2.1.332');
    assert.deepEqual(found.command.argv, [file]);
  });

  it('by a path of its own', async () => {
    const file = script('other-name', 'echo 1.2.3');
    const found = await adapter(file).detect(new AbortController().signal);
    assert.equal(found?.version, '1.2.3');
  });

  it('where installers put it, when PATH does not have it', async () => {
    mkdirSync(join(folder, '.local', 'bin'), { recursive: true });
    const file = join(folder, '.local', 'bin', 'claude');
    writeFileSync(file, '#!/bin/sh\necho 3.2.1\n');
    chmodSync(file, 0o755);
    assert.equal((await adapter().detect(new AbortController().signal))?.version, '3.2.1');
  });

  it('not at all, when there is none, when it is no program, or when it does not answer with a version', async () => {
    const { signal } = new AbortController();
    assert.equal(await adapter('no-such-program-here').detect(signal), undefined);
    assert.equal(await adapter(folder).detect(signal), undefined);
    script('fails', 'echo 1.2.3', 'exit 1');
    assert.equal(await adapter('fails').detect(signal), undefined);
    script('mute', 'echo hello');
    assert.equal(await adapter('mute').detect(signal), undefined);
  });

  it('not when it hangs: its run is ended', async () => {
    script('hangs', 'exec sleep 60');
    const controller = new AbortController();
    const detecting = adapter('hangs').detect(controller.signal);
    controller.abort();
    assert.equal(await detecting, undefined);
  });

  it('for as long as who looks for it waits, since a busy machine starts so large a program slowly', async () => {
    const { signal } = new AbortController();
    let waited: AbortSignal | undefined;
    const finder = {
      find: () => '/bin/claude',
      run: (_path: string, _args: readonly string[], until: AbortSignal) => {
        waited = until;
        return Promise.resolve('1.2.3');
      },
    };
    assert.equal((await createClaudeAdapter({ finder }).detect(signal))?.version, '1.2.3');
    assert.equal(waited, signal);
  });

  it('without a shell, whatever its name is', async () => {
    const file = script('a; touch pwned', 'echo 1.2.3');
    assert.equal((await adapter(file).detect(new AbortController().signal))?.version, '1.2.3');
  });
});
