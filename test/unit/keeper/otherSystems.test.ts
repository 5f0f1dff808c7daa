import assert from 'node:assert/strict';
import { leaderOptions, signalGroup, type ProcessSystem } from '../../../src/keeper/processGroup.ts';
import { killTree } from '../../../src/keeper/processTree.ts';

/** Another system in place of this one. */
class FakeSystem implements ProcessSystem {
  readonly platform: NodeJS.Platform;
  readonly done: string[] = [];

  constructor(platform: NodeJS.Platform) {
    this.platform = platform;
  }

  signal(pid: number, name: NodeJS.Signals): void {
    this.done.push(`signal ${String(pid)} ${name}`);
  }
  run(command: string, args: readonly string[]): void {
    this.done.push([command, ...args].join(' '));
  }
}

describe('programs on Windows, as far as that can be told elsewhere', () => {
  it('are ended with all that descends from them: there are no groups', () => {
    const windows = new FakeSystem('win32');
    for (const name of ['SIGHUP', 'SIGTERM', 'SIGKILL'] as const) signalGroup(42, name, windows);
    assert.deepEqual(
      windows.done,
      Array.from({ length: 3 }, () => 'taskkill /pid 42 /t /f'),
    );
    const other = new FakeSystem('win32');
    killTree(42, other);
    assert.deepEqual(other.done, ['taskkill /pid 42 /t /f']);
  });

  it('are not interrupted: that would end them', () => {
    const windows = new FakeSystem('win32');
    signalGroup(42, 'SIGINT', windows);
    signalGroup(0, 'SIGKILL', windows);
    killTree(0, windows);
    assert.deepEqual(windows.done, []);
  });

  it('share no console, and open no window', () => {
    assert.deepEqual(leaderOptions('win32'), { detached: false, windowsHide: true });
  });
});

describe('programs elsewhere', () => {
  it('lead a group, which gets the signals', () => {
    const mac = new FakeSystem('darwin');
    signalGroup(42, 'SIGINT', mac);
    assert.deepEqual(mac.done, ['signal -42 SIGINT']);
    assert.equal(leaderOptions('darwin').detached, true);
  });
});
