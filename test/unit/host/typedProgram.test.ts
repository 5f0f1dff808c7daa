import assert from 'node:assert/strict';
import { typedProgram } from '../../../src/host/typedProgram.ts';

describe('what a command line starts', () => {
  it('is its program by name, whatever stands before it', () => {
    for (const [typed, program] of [
      ['claude', 'claude'],
      ['claude --resume 1', 'claude'],
      ['  FOO=1 BAR="a b" claude', 'claude'],
      ['~/.local/bin/claude -c', 'claude'],
      ['"C:\\Program Files\\Claude\\claude.exe" --x', 'claude'],
      ["& 'C:/Users/a b/claude.CMD'", 'claude'],
      ['sudo -E env X=1 claude', 'claude'],
      ['npx claude', 'claude'],
      ['echo claude', 'echo'],
      ['vim claude', 'vim'],
      ['cd x && claude', 'cd'],
      ['', undefined],
      ['FOO=1', undefined],
      ['"', undefined],
    ] as const)
      assert.equal(typedProgram(typed), program, typed);
  });

  it('is found in bounded time in any text', () => {
    assert.equal(typedProgram(`${'A=1 '.repeat(2_000_000)}claude`), undefined);
  });
});
