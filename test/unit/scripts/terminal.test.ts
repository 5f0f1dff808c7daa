import assert from 'node:assert/strict';
import { createTerminal, formatDuration } from '../../../scripts/console/terminal.mjs';

async function printed(isTTY: boolean, env: NodeJS.ProcessEnv, fails = false): Promise<string> {
  let text = '';
  let time = 0;
  const stream = { isTTY, columns: 60, write: (part: string) => (text += part) };
  const terminal = createTerminal({ stream, env, now: () => (time += 1100) });
  const work = (): Promise<void> => (fails ? Promise.reject(new Error('no')) : Promise.resolve());
  await terminal.step('Building', work).catch(() => undefined);
  return text;
}

describe('what scripts print', () => {
  it('is plain lines with the time where there is no terminal', async () => {
    assert.match(await printed(false, {}), /^• Building…\n✓ Building \d\.\d s\n$/);
    assert.match(await printed(false, {}, true), /^• Building…\n✗ Building \d\.\d s\n$/);
  });

  it('rewrites its line on a terminal, but not in CI', async () => {
    assert.ok((await printed(true, {})).includes('\r'));
    assert.ok(!(await printed(true, { CI: 'true' })).includes('\r'));
    assert.ok(!(await printed(true, { TERM: 'dumb' })).includes('\r'));
  });

  it('has no colour when NO_COLOR asks for none', async () => {
    const colour = '\u001b[32m';
    assert.ok((await printed(true, {})).includes(colour));
    assert.ok(!(await printed(true, { NO_COLOR: '1' })).includes(colour));
    assert.ok(!(await printed(false, {})).includes(colour));
    assert.ok((await printed(false, { FORCE_COLOR: '1' })).includes(colour));
  });

  it('tells times as people do', () => {
    assert.deepEqual([850, 9949, 12_400, 75_000].map(formatDuration), [
      '0.8 s',
      '9.9 s',
      '12 s',
      '1 min 15 s',
    ]);
  });
});
