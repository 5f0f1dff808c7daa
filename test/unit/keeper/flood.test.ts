import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeKeeperFrame, keeperFrameType } from '../../../src/keeper/keeperFrame.ts';
import { keeperVersions } from '../../../src/keeper/keeperMessage.ts';
import type { TerminalProcess } from '../../../src/terminal/terminalProcess.ts';
import { bundleKeeper } from '../../fakes/keeperBundle.ts';
import { isAlive, KeptTerminals, untilTrue } from '../../fakes/keptTerminals.ts';
import { peakMemoryMb } from '../../fakes/processMemory.ts';

const megabytes = 100;
const mostMb = 160;
const deadlineMs = 120_000;
const signal = new AbortController().signal;
/** A line is 1,000 bytes and a newline, which a terminal makes two. */
const lines = megabytes * 1_000;
const shownBytes = lines * 1_001;

describe('a program that writes 100 MB as fast as its terminal takes it [F43]', function () {
  this.timeout(2 * deadlineMs);
  let terminals: KeptTerminals;
  let folder: string;
  let program: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kb-'));
    program = await bundleKeeper(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(function () {
    if (process.platform !== 'linux') this.skip();
    terminals = new KeptTerminals(program);
  });
  afterEach(() => terminals.dispose());

  /** Writes when it is told to, says so in a file when all of it is out, and then waits for a key. */
  async function flood() {
    const [go, done] = [join(terminals.folder, 'go'), join(terminals.folder, 'done')];
    const started = await terminals.run(`
      const fs = require('fs');
      const line = 'x'.repeat(999) + '\\n';
      let left = ${String(lines)};
      const write = () => {
        while (left-- > 0) if (!process.stdout.write(line)) return process.stdout.once('drain', write);
        process.stdout.write('the end', () => fs.writeFileSync(${JSON.stringify(done)}, ''));
      };
      const timer = setInterval(() => {
        if (!fs.existsSync(${JSON.stringify(go)})) return;
        clearInterval(timer);
        write();
      }, 10);
      process.stdin.on('data', () => process.stdout.write(' and on'));`);
    return { ...started, go: () => writeFileSync(go, ''), isDone: () => existsSync(done) };
  }

  async function lookFor(terminal: TerminalProcess, text: string): Promise<void> {
    let after: number | undefined;
    for (;;) {
      const looked = await terminal.look(after === undefined ? {} : { after }, signal);
      assert.ok(looked.ok, looked.ok ? '' : looked.code);
      if (JSON.stringify(looked.value.changed).includes(text)) return;
      after = looked.value.revision;
    }
  }

  function report(what: string, keeperPid: number, begun: number): void {
    const peak = peakMemoryMb(keeperPid);
    const seconds = (performance.now() - begun) / 1_000;
    console.log(`      ${what}: ${peak.toFixed(0)} MB at most, ${(megabytes / seconds).toFixed(1)} MB/s`);
    assert.ok(peak <= mostMb, `${peak.toFixed(0)} MB`);
  }

  it('is seen to its end by a desk that reads, whatever those do that look from afar', async () => {
    const { terminal, address, keeperPid, go, isDone } = await flood();
    const desk = terminals.sit(address, { columns: 100, rows: 30 });
    await untilTrue('the desk has the screen', () => desk.screens === 1);
    assert.ok((await terminal.look({}, signal)).ok);
    const begun = performance.now();
    go();
    await untilTrue('all is written', isDone, deadlineMs);
    await untilTrue('all is seen', () => desk.tail.endsWith('the end'), deadlineMs);
    report('a desk that reads, a looker that does not ask again', keeperPid, begun);
    assert.equal(desk.outputBytes, shownBytes + 'the end'.length);
    assert.deepEqual([desk.outputEnd, desk.screens], [desk.outputBytes, 1], 'nothing is left out');
    await lookFor(terminal, 'the end');
  });

  it('goes on where the desk does not read, nor a bridge that asks and asks', async () => {
    const { terminal, address, keeperPid, go, isDone } = await flood();
    const desk = terminals.sit(address, { columns: 100, rows: 30 });
    await untilTrue('the desk has the screen', () => desk.screens === 1);
    desk.socket.pause();
    const bridge = createConnection(address.socketPath);
    const hello = { version: keeperVersions.oldest, newest: keeperVersions.newest, token: address.token };
    bridge.write(encodeKeeperFrame(keeperFrameType.hello, JSON.stringify(hello)));
    bridge.pause();
    const asking = setInterval(() => {
      for (const what of [{ look: {} }, { page: { before: 1e9, limit: 200 } }])
        bridge.write(encodeKeeperFrame(keeperFrameType.look, JSON.stringify({ id: 1, ...what })));
    }, 5);
    const begun = performance.now();
    go();
    await untilTrue('all is written', isDone, deadlineMs);
    report('a desk and a bridge that do not read', keeperPid, begun);
    clearInterval(asking);
    bridge.destroy();
    assert.ok(isAlive(terminal.pid));
    desk.socket.resume();
    await untilTrue('the desk has the screen again', () => desk.screens > 1 && desk.tail.includes('the end'));
    assert.ok(desk.outputBytes < shownBytes / 2, 'and not what it missed');
    desk.type('\r');
    await untilTrue('it goes on', () => desk.tail.includes('and on'));
  });
});
