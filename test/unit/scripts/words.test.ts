import assert from 'node:assert/strict';
import { agentLines } from '../../../scripts/start/words.mjs';

describe('what npm start says of coding agents', () => {
  it('promises no Claude Code where there is none', () => {
    assert.deepEqual(agentLines([]), [
      'Demo agent (built in); no other agent was found on PATH.',
      'In this version the Demo agent can be run from Terminull, and Claude Code if installed.',
    ]);
    const [, runs] = agentLines([{ name: 'Codex', version: '1.2.3' }]);
    assert.equal(
      runs,
      'In this version the Demo agent can be run from Terminull, and Claude Code if installed.',
    );
  });

  it('names what it found, with the version where it is known', () => {
    const lines = agentLines([
      { name: 'Claude Code', version: '2.1.0' },
      { name: 'Codex', version: undefined },
    ]);
    assert.deepEqual(lines, [
      'Demo agent (built in); found on PATH: Claude Code 2.1.0, Codex.',
      'In this version the Demo agent and Claude Code can be run from Terminull.',
    ]);
  });
});
