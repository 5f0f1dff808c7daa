import assert from 'node:assert/strict';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { CommandFailed, runCommand, startService } from '../../../scripts/process/processes.mjs';

const processes = new URL('../../../scripts/process/processes.mjs', import.meta.url).href;

/** A program that connects to `port`, and starts one that leaves its process group and connects too. */
const connect = (port: number): string => `require('node:net').connect(${port}, '127.0.0.1').resume();`;
const family = (port: number): string =>
  `${connect(port)}
  require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(connect(port))}], { detached: true }).unref();`;

describe('a program that a script starts', function () {
  this.timeout(30_000);
  let server: Server;
  let port = 0;
  const waiting: ((socket: Socket) => void)[] = [];

  /** The next process that connects; it is alive as long as its socket is open. */
  const nextProcess = (): Promise<Socket> => new Promise(resolve => waiting.push(resolve));

  beforeEach(async () => {
    server = createServer(socket => {
      socket.resume().on('error', () => undefined);
      waiting.shift()?.(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    ({ port } = address);
  });
  afterEach(() => server.close());

  it('ends with all that it started, also what left its process group', async () => {
    const alive = [nextProcess(), nextProcess()];
    const service = startService(process.execPath, ['-e', family(port)]);
    const ended = (await Promise.all(alive)).map(socket => once(socket, 'close'));
    await service.stop();
    await Promise.all(ended);
  });

  it('can leave what detached itself until it is stopped again', async () => {
    const alive = [nextProcess(), nextProcess()];
    const service = startService(process.execPath, ['-e', family(port)]);
    const sockets = await Promise.all(alive);
    const oneEnded = Promise.race(sockets.map(socket => once(socket, 'close')));
    await service.stop({ leaveDetached: true });
    await oneEnded;
    assert.equal(sockets.filter(socket => !socket.closed).length, 1);
    const ended = sockets.filter(socket => !socket.closed).map(socket => once(socket, 'close'));
    await service.stop();
    await Promise.all(ended);
  });

  it('ends even when the script is killed outright', async () => {
    const alive = [nextProcess(), nextProcess()];
    const script = `const { startService } = await import(${JSON.stringify(processes)});
      startService(process.execPath, ['-e', ${JSON.stringify(family(port))}]);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
    const ended = (await Promise.all(alive)).map(socket => once(socket, 'close'));
    holder.kill('SIGKILL');
    await Promise.all(ended);
  });

  it('says how it ended', async () => {
    const byItself = startService(process.execPath, ['-e', 'process.exit(3)']);
    assert.equal(await byItself.exited, 'ended with exit code 3');
    const killed = startService(process.execPath, ['-e', 'process.kill(process.pid, "SIGKILL")']);
    assert.equal(await killed.exited, 'was ended by SIGKILL');
    await Promise.all([byItself.stop(), killed.stop()]);
  });

  it('shows its last words when it fails', async () => {
    const failing = runCommand(process.execPath, ['-e', 'console.log("last words"); process.exit(2)']);
    await assert.rejects(failing, (error: unknown) => {
      assert.ok(error instanceof CommandFailed);
      assert.match(error.message, /ended with 2$/);
      assert.equal(error.tail, 'last words');
      return true;
    });
  });

  it('is ended when it takes too long', async () => {
    const endless = runCommand(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { deadlineMs: 200 });
    await assert.rejects(endless, /took longer than 0\.2 s/);
  });
});
