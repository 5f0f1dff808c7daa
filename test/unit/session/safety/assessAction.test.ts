import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentId } from '../../../../core/protocol/ids.ts';
import type { ToolInput } from '../../../../core/protocol/block/toolBlocks.ts';
import type { ProposedAction } from '../../../../src/adapters/agent.ts';
import { assessAction } from '../../../../src/session/safety/assessAction.ts';
import { lookAtPath } from '../../../../src/session/safety/lookAtPath.ts';
import { lookUp } from './fakeFiles.ts';

const claude = agentId.parse('claude-code');
const ports = { hasPosixShell: true, look: lookUp };

function assess(tool: string, input: ToolInput, more: Partial<ProposedAction> = {}, agent = claude) {
  const action = { tool, input, cwd: '/work', risk: 'low' as const, startsInCwd: true, ...more };
  return assessAction(agent, action, ports);
}

describe('what an action may do', () => {
  it('proves the reading tools of a known agent within the workspace [M63]', () => {
    const proven: readonly [string, ToolInput][] = [
      ['Read', { file_path: '/work/a.ts' }],
      ['Read', { file_path: '/work/a.ts', offset: 1, limit: 10 }],
      ['LS', { path: '/work/src' }],
      ['Glob', { pattern: '**/*.ts' }],
      ['Glob', { pattern: '*.ts', path: '/work/src' }],
      ['Grep', { pattern: 'to.*do', glob: '*.ts' }],
      ['Grep', { pattern: 'x', path: '/work/a.ts', output_mode: 'content', '-n': true }],
      ['Bash', { command: 'cat a.ts', description: 'Reads a file', timeout: 1_000 }],
    ];
    for (const [tool, input] of proven)
      assert.deepEqual(assess(tool, input), { safety: 'locallyReadOnly', risk: 'low' }, tool);
    assert.equal(assess('TodoWrite', { todos: [] }).safety, 'locallyContained');
  });

  it('asks about what changes, what leads out, what looks secret, and what it does not know [M63]', () => {
    const asked: readonly [string, ToolInput][] = [
      ['Edit', { file_path: '/work/a.ts', old_string: 'a', new_string: 'b' }],
      ['Write', { file_path: '/work/a.ts', content: '' }],
      ['Read', { file_path: '/etc/hosts' }],
      ['Read', { file_path: '/work/out/hosts' }],
      ['Read', { file_path: '/work/.env' }],
      ['Read', { file_path: '/work/a.ts\u202e' }],
      ['Read', { file_path: '/work/a.ts', follow: true }],
      ['Read', { file_path: ['/work/a.ts'] }],
      ['Read', {}],
      ['LS', { path: '/work/..' }],
      ['Glob', { pattern: '../**' }],
      ['Glob', { pattern: '/etc/*' }],
      ['Grep', { pattern: 'x', output_mode: 'content' }],
      ['Grep', { pattern: 'x', glob: '.env*' }],
      ['Grep', { pattern: 'x', glob: '{a,.env}' }],
      ['Grep', { pattern: 'x', path: '/etc' }],
      ['Bash', { command: 'cat a.ts', run_in_background: true }],
      ['Bash', { command: 'cat a.ts', dangerouslyDisableSandbox: true }],
      ['Bash', { command: ['cat', 'a.ts'] }],
      ['PowerShell', { command: 'ls' }],
      ['WebFetch', { url: 'https://example.com' }],
      ['Task', { prompt: 'x' }],
      ['AskUserQuestion', { questions: [] }],
      ['mcp__files__Read', { file_path: '/work/a.ts' }],
      ['read', { file_path: '/work/a.ts' }],
      ['constructor', {}],
    ];
    for (const [tool, input] of asked)
      assert.equal(assess(tool, input).safety, 'requiresAuthorization', JSON.stringify([tool, input]));
  });

  it('asks about a path that a tool may read as another one than is looked at here', () => {
    // Claude Code takes `~` for the home folder, leaves out blanks at the ends and composes letters; Windows opens streams.
    for (const name of [
      '~/notes.ts',
      ' /etc/hosts',
      'a.ts ',
      'a.ts\u00a0',
      '/work/e\u0301.ts',
      '/work/a.ts::$DATA',
    ])
      assert.equal(
        assessAction(
          claude,
          { tool: 'Read', input: { file_path: name }, cwd: '/work', risk: 'low', startsInCwd: true },
          {
            hasPosixShell: true,
            look: path => ({ real: path, kind: path === '/work' ? 'directory' : 'file' }),
          },
        ).safety,
        'requiresAuthorization',
        name,
      );
  });

  it('trusts the names of no agent that it does not know, and no other shell', () => {
    const other = agentId.parse('other');
    assert.deepEqual(assess('Read', { file_path: '/work/a.ts' }, {}, other), {
      safety: 'requiresAuthorization',
      risk: 'high',
    });
    const action = { tool: 'Bash', input: { command: 'pwd' }, cwd: '/work', risk: 'low' as const };
    const noShell = { ...ports, hasPosixShell: false };
    assert.equal(assessAction(claude, action, noShell).safety, 'requiresAuthorization');
  });

  it('lets what the agent says of an action make it stricter, and never milder [M42]', () => {
    const harmless = { command: 'cat a.ts' };
    assert.deepEqual(assess('Bash', harmless, { hint: 'medium' }), {
      safety: 'requiresAuthorization',
      risk: 'high',
    });
    assert.deepEqual(assess('Read', { file_path: '/work/a.ts' }, { hint: 'high' }), {
      safety: 'requiresAuthorization',
      risk: 'high',
    });
    assert.equal(assess('Bash', { command: 'rm a.ts' }, { risk: 'low' }).risk, 'high');
    assert.equal(assess('mcp__x__safe_read', {}, { risk: 'low' }).risk, 'high');
    assert.equal(assess('Edit', { file_path: '/work/a.ts' }, { risk: 'low' }).risk, 'medium');
    assert.equal(assess('Edit', { file_path: '/work/a.ts' }, { risk: 'high' }).risk, 'high');
  });

  it('looks at the real file system: a link out of the workspace asks, one within does not', () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tsafe-')));
    try {
      const cwd = join(folder, 'work');
      mkdirSync(join(cwd, 'src'), { recursive: true });
      writeFileSync(join(cwd, 'src', 'a.ts'), '');
      writeFileSync(join(folder, 'outside.ts'), '');
      symlinkSync(join(cwd, 'src'), join(cwd, 'within'));
      symlinkSync(folder, join(cwd, 'out'));
      const read = (name: string) => {
        const input = { file_path: join(cwd, name) };
        const action = { tool: 'Read', input, cwd, risk: 'low' as const };
        return assessAction(claude, action, { hasPosixShell: true, look: lookAtPath }).safety;
      };
      assert.deepEqual(['src/a.ts', 'within/a.ts', 'out/outside.ts', 'src', 'nowhere.ts'].map(read), [
        'locallyReadOnly',
        'locallyReadOnly',
        'requiresAuthorization',
        'requiresAuthorization',
        'requiresAuthorization',
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
