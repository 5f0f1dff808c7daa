import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeKeeperFrame, KeeperFrameReader, keeperFrameType } from '../../../src/keeper/keeperFrame.ts';
import { keeperRefused, type KeeperExit } from '../../../src/keeper/keeperMessage.ts';
import { KeeperClient, type KeeperEvents } from '../../../src/terminal/keeperClient.ts';
import {
  launchKeeper,
  type KeeperAddress,
  type KeeperLauncherOptions,
} from '../../../src/terminal/keeperLauncher.ts';
import { jsonValue } from '../../../core/base/jsonValue.ts';

const keeperMain = join(import.meta.dirname, '../../../src/keeper/main.ts');

/** Collects what a keeper says, and lets a test wait for it. */
class Observer implements KeeperEvents {
  text = '';
  end = 0;
  exited: KeeperExit | undefined;
  reason: string | undefined;
  readonly #waiting = new Set<() => void>();

  output = (bytes: Buffer, end: number): void => {
    this.text += bytes.toString('utf8');
    this.end = end;
    this.#wake();
  };
  exit = (exit: KeeperExit): void => {
    this.exited = exit;
    this.#wake();
  };
  lost = (reason: string): void => {
    this.reason = reason;
    this.#wake();
  };

  until(check: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const look = (): void => {
        if (!check()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  #wake(): void {
    for (const look of [...this.#waiting]) look();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilDead(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise(resolve => setImmediate(resolve));
}

describe('the keeper [T2] [D1]', () => {
  let folder: string;
  let options: KeeperLauncherOptions;
  const signal = new AbortController().signal;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tk-'));
    options = { runtimeDirectory: folder, runtime: [process.execPath, keeperMain], unattendedMs: 60_000 };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function launch(
    script: string,
    events: KeeperEvents,
  ): Promise<{ client: KeeperClient; address: KeeperAddress }> {
    const env = { PATH: process.env.PATH ?? '' };
    const launched = await launchKeeper(
      options,
      { argv: [process.execPath, '-e', script], cwd: folder, env },
      events,
      signal,
    );
    assert.ok(launched.ok, launched.ok ? '' : launched.code);
    return launched.value;
  }

  async function attach(address: KeeperAddress, from: number, events: KeeperEvents): Promise<KeeperClient> {
    const attached = await KeeperClient.attach({ ...address, from }, events, signal);
    assert.ok(attached.ok, attached.ok ? '' : attached.code);
    return attached.value;
  }

  const echo = 'process.stdin.on("data", d => process.stdout.write("<" + d + ">"))';

  it('keeps its agent when the client goes, and tells the next one what it missed, byte by byte', async () => {
    const first = new Observer();
    const { client, address } = await launch(echo, first);
    const { agentPid } = client.welcome;
    client.write('one');
    await first.until(() => first.text === '<one>');
    client.acknowledge(first.end);
    client.write('two');
    await first.until(() => first.text === '<one><two>');
    client.dispose();
    const second = new Observer();
    const again = await attach(address, 5, second);
    assert.equal(again.welcome.agentPid, agentPid);
    await second.until(() => second.text === '<two>');
    again.write('three');
    await second.until(() => second.text === '<two><three>');
    again.end(1_000);
    await second.until(() => second.exited !== undefined);
    await untilDead(agentPid);
  });

  it('says by name that released output cannot be had again', async () => {
    const observer = new Observer();
    const { client, address } = await launch(echo, observer);
    client.write('gone');
    await observer.until(() => observer.text === '<gone>');
    client.acknowledge(observer.end);
    client.write('x');
    await observer.until(() => observer.text.endsWith('<x>'));
    assert.deepEqual(await KeeperClient.attach({ ...address, from: 0 }, new Observer(), signal), {
      ok: false,
      code: 'gap',
    });
    client.end(0);
    await observer.until(() => observer.exited !== undefined);
  });

  it('lets the newest client win, and tells the older one', async () => {
    const first = new Observer();
    const { address } = await launch(echo, first);
    const second = new Observer();
    const client = await attach(address, 0, second);
    await first.until(() => first.reason === 'replaced');
    client.end(0);
    await second.until(() => second.exited !== undefined);
  });

  it('refuses a wrong token, a wrong version and garbage, and goes on serving', async () => {
    const observer = new Observer();
    const { client, address } = await launch(echo, observer);
    const wrong = { ...address, token: 'x'.repeat(43), from: 0 };
    assert.deepEqual(await KeeperClient.attach(wrong, new Observer(), signal), {
      ok: false,
      code: 'unauthorized',
    });
    const hello = JSON.stringify({ version: 99, token: address.token, from: 0 });
    assert.equal(
      await answerTo(address, encodeKeeperFrame(keeperFrameType.hello, hello)),
      'incompatible_version',
    );
    assert.equal(
      await answerTo(address, encodeKeeperFrame(keeperFrameType.input, 'rm -rf /')),
      'unauthorized',
    );
    assert.equal(await answerTo(address, Buffer.from('GET / HTTP/1.1\r\n\r\n')), undefined);
    assert.equal(await answerTo(address, Buffer.alloc(64, 0xff)), undefined);
    client.write('still here');
    await observer.until(() => observer.text === '<still here>');
    client.end(0);
    await observer.until(() => observer.exited !== undefined);
  });

  it('ends the agent’s whole process group, also a child that ignores SIGTERM', async () => {
    const observer = new Observer();
    const child = 'process.on("SIGTERM",()=>{});setInterval(()=>{},1000)';
    const script = `const c=require("child_process").spawn(process.execPath,["-e",${JSON.stringify(child)}]);console.log(c.pid);setInterval(()=>{},1000)`;
    const { client } = await launch(script, observer);
    await observer.until(() => observer.text.endsWith('\n'));
    const pid = Number(observer.text);
    assert.ok(isAlive(pid));
    client.end(50);
    await observer.until(() => observer.exited !== undefined);
    await untilDead(pid);
    await untilDead(client.welcome.agentPid);
  });

  it('keeps the end of error output for the user, and the exit code', async () => {
    const observer = new Observer();
    const { client } = await launch('console.error("no such model"); process.exitCode = 3', observer);
    await observer.until(() => observer.exited !== undefined);
    assert.equal(observer.exited?.code, 3);
    assert.match(observer.exited.errorTail, /no such model/);
    client.end(0);
    await untilDead(client.welcome.keeperPid);
    assert.equal(existsSync(join(folder, 's')), false);
  });

  it('lets an agent write about 8 MiB that nobody acknowledges and no more, and then lets it go on [F43]', async () => {
    const mib = 1_048_576;
    const server = createServer();
    server.listen(join(folder, 'progress'));
    const connected = new Promise<Socket>(resolve => server.once('connection', resolve));
    // Says over a line of its own how much it has written, whenever it is asked.
    const script = `
      const line = require('net').connect('progress');
      let written = 0;
      const write = () => written < ${String(24 * mib)} && process.stdout.write(Buffer.alloc(65536, 97), () => {
        written += 65536;
        write();
      });
      line.once('data', () => {
        write();
        line.on('data', () => line.write(written + '\\n'));
      });
      line.on('end', () => process.exit(0));`;
    const observer = new Observer();
    let isRead = false;
    const { client } = await launch(script, {
      output: (bytes, end) => {
        observer.output(bytes, end);
        if (isRead) client.acknowledge(end);
      },
      exit: observer.exit,
      lost: observer.lost,
    });
    const line = await connected;
    const written = async (): Promise<number> => {
      const told = once(line, 'data');
      line.write('?');
      return Number(String((await told)[0]));
    };
    line.write('go');
    await observer.until(() => observer.end >= 8 * mib);
    // It answers, so it runs; a writer that is not held up gets on between two answers.
    let most = 0;
    for (let same = 0; same < 200; same += 1) {
      const now = await written();
      if (now !== most) same = 0;
      most = now;
    }
    assert.ok(most >= 7 * mib && most < 10 * mib, `wrote ${String(most)} bytes`);
    isRead = true;
    client.acknowledge(observer.end);
    await observer.until(() => observer.end === 24 * mib);
    line.end();
    await observer.until(() => observer.exited !== undefined);
    client.end(0);
    server.close();
  });

  it('stops reading from an agent whose output nobody acknowledges, and loses nothing [F43]', async () => {
    const observer = new Observer();
    const script =
      'let n=0;const w=()=>{while(n<24){n++;if(!process.stdout.write(Buffer.alloc(1048576,97)))return process.stdout.once("drain",w)}console.error("done")};w()';
    const { client, address } = await launch(script, observer);
    client.dispose();
    await observer.until(() => observer.reason === 'disconnected');
    const second = new Observer();
    let held = 0;
    const again: KeeperClient = await attach(address, 0, {
      output: (bytes, end) => {
        held += bytes.length;
        again.acknowledge(end);
        second.output(Buffer.alloc(0), end);
      },
      exit: second.exit,
      lost: second.lost,
    });
    await second.until(() => second.exited !== undefined);
    assert.equal(held, 24 * 1_048_576);
    again.end(0);
  });

  function answerTo(address: KeeperAddress, bytes: Buffer): Promise<string | undefined> {
    return new Promise(resolve => {
      const reader = new KeeperFrameReader();
      let code: string | undefined;
      const socket = createConnection(address.socketPath, () => socket.write(bytes));
      socket.on('error', () => undefined);
      socket.on('data', chunk => {
        for (const frame of reader.push(chunk) ?? []) {
          const refused = keeperRefused.safeParse(jsonValue(frame.body.toString('utf8')));
          if (refused.success) code = refused.data.code;
        }
      });
      socket.on('close', () => resolve(code));
    });
  }
});
