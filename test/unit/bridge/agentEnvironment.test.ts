import assert from 'node:assert/strict';
import { agentEnvironment } from '../../../src/bridge/agentEnvironment.ts';

describe('the environment of an agent', () => {
  it('is the user’s, without the editor’s own and without what is not set', () => {
    const environment = agentEnvironment({
      PATH: '/usr/bin',
      HOME: '/home/me',
      ANTHROPIC_API_KEY: 'theirs',
      EMPTY: '',
      UNSET: undefined,
      VSCODE_PID: '1',
      VSCODE_IPC_HOOK_CLI: '/tmp/hook.sock',
      VSCODE_GIT_ASKPASS_MAIN: 'askpass.js',
      ELECTRON_RUN_AS_NODE: '1',
      ELECTRON_NO_ATTACH_CONSOLE: '1',
    });
    assert.deepEqual(environment, {
      PATH: '/usr/bin',
      HOME: '/home/me',
      ANTHROPIC_API_KEY: 'theirs',
      EMPTY: '',
    });
  });

  it('keeps what only sounds like the editor’s', () => {
    const own = { MY_VSCODE_PID: '1', NOT_ELECTRON_AT_ALL: '2', VSCODE: '3' };
    assert.deepEqual(agentEnvironment(own), own);
  });
});
