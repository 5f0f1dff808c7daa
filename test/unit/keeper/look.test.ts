import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ScreenPicture } from '../../../core/protocol/screenPicture.ts';
import type { TerminalProcess } from '../../../src/terminal/terminalProcess.ts';
import { KeptTerminals, untilTrue } from '../../fakes/keptTerminals.ts';

const signal = new AbortController().signal;

async function look(terminal: TerminalProcess, after?: number): Promise<ScreenPicture> {
  const looked = await terminal.look(after === undefined ? {} : { after }, signal);
  assert.ok(looked.ok, looked.ok ? '' : looked.code);
  return looked.value;
}

const textOf = ({ changed }: ScreenPicture): string =>
  changed.map(({ runs }) => runs.map(run => run.text).join('')).join('\n');

/** Looks until a text is there, as a phone does. */
async function lookFor(terminal: TerminalProcess, text: string): Promise<ScreenPicture> {
  let picture = await look(terminal);
  while (!textOf(picture).includes(text)) picture = await look(terminal, picture.revision);
  return picture;
}

/** Draws what it is told. */
const echo = `
  process.stdin.setRawMode(true);
  process.stdin.on('data', bytes => process.stdout.write(bytes));
  process.stdout.write('ready');`;

describe('a terminal that is looked at from afar [D2]', function () {
  this.timeout(30_000);
  let terminals: KeptTerminals;
  beforeEach(() => (terminals = new KeptTerminals()));
  afterEach(() => terminals.dispose());

  it('shows the screen at once, and then as soon as something changes', async () => {
    const { terminal, address } = await terminals.run(echo);
    const first = await lookFor(terminal, 'ready');
    assert.deepEqual([first.columns, first.rows], [120, 40]);
    const next = look(terminal, first.revision);
    const early = await Promise.race([next, delay(300, 'nothing')]);
    assert.equal(early, 'nothing', 'nothing has changed');
    terminals.sit(address).type(' steady');
    const { changed, revision } = await next;
    assert.equal(changed.length, 1);
    assert.match(textOf(await lookFor(terminal, 'ready steady')), /ready steady/);
    assert.ok(revision > first.revision);
  });

  it('answers the newest look alone, and none once it is not wanted', async () => {
    const { terminal, address } = await terminals.run(echo);
    const { revision } = await lookFor(terminal, 'ready');
    const older = terminal.look({ after: revision }, signal);
    const newer = terminal.look({ after: revision }, signal);
    assert.deepEqual(await older, { ok: false, code: 'replaced' });
    terminals.sit(address).type('!');
    assert.ok((await newer).ok);
    const gone = new AbortController();
    const { revision: last } = await look(terminal);
    const unwanted = terminal.look({ after: last }, gone.signal);
    gone.abort();
    assert.deepEqual(await unwanted, { ok: false, code: 'aborted' });
    assert.deepEqual(await terminal.look({}, gone.signal), { ok: false, code: 'aborted' });
    assert.ok((await look(terminal)).revision >= last, 'and goes on');
  });

  it('is shown ten times a second at most, and its newest state in the end', async () => {
    const { terminal } = await terminals.run(`
      let count = 0;
      const timer = setInterval(() => {
        process.stdout.write('\\x1b[Hcount ' + ++count);
        if (count === 1000) { process.stdout.write(' done'); clearInterval(timer); setInterval(() => {}, 1000); }
      }, 2);`);
    const begun = performance.now();
    let pictures = 0;
    let picture = await look(terminal);
    for (; !textOf(picture).includes('done'); pictures += 1) picture = await look(terminal, picture.revision);
    const most = (performance.now() - begun) / 100 + 1;
    assert.ok(pictures <= most && pictures > 5, `${String(pictures)} pictures, at most ${most.toFixed(0)}`);
    assert.match(textOf(picture), /count 1000 done/);
  });

  it('gives older lines by page, and bounds what is asked', async () => {
    const { terminal } = await terminals.run(`
      for (let line = 0; line < 500; line += 1) console.log('line ' + line);
      process.stdout.write('end');
      setInterval(() => {}, 1000);`);
    const { scrollback } = await lookFor(terminal, 'end');
    const end = scrollback.first + scrollback.count;
    const page = await terminal.page({ before: end, limit: 5_000 }, signal);
    assert.ok(page.ok);
    assert.equal(page.value.lines.length, 200);
    assert.equal(page.value.from, end - 200);
    assert.equal(page.value.lines.at(-1)?.runs[0]?.text, 'line 460');
    const before = await terminal.page({ before: -7, limit: -1 }, signal);
    assert.deepEqual(before.ok && before.value.lines, []);
  });

  it('says that it is gone when its program ends, to who waits and to who comes later', async () => {
    const { terminal, address } = await terminals.run(`
      process.stdin.once('data', () => process.exit(0));
      process.stdout.write('ready');`);
    const { revision } = await lookFor(terminal, 'ready');
    const waiting = terminal.look({ after: revision }, signal);
    terminals.sit(address).type('\r');
    let answer = await waiting;
    // The terminal's own echo of the key may be drawn before the program ends.
    while (answer.ok) answer = await terminal.look({ after: answer.value.revision }, signal);
    assert.deepEqual(answer, { ok: false, code: 'gone' });
    assert.deepEqual(await terminal.look({}, signal), { ok: false, code: 'gone' });
    assert.deepEqual(await terminal.page({ before: 1, limit: 1 }, signal), { ok: false, code: 'gone' });
  });

  it('has the desk’s size, once the desk has one', async () => {
    const { terminal, address } = await terminals.run(echo);
    await lookFor(terminal, 'ready');
    terminals.sit(address, { columns: 61, rows: 10 });
    let picture = await look(terminal);
    while (picture.columns !== 61) picture = await look(terminal, picture.revision);
    assert.equal(picture.rows, 10);
  });

  it('makes no program wait for a looker that does not ask again', async () => {
    const done = join(terminals.folder, 'done');
    const { terminal } = await terminals.run(`
      let left = 2000;
      const go = () => {
        while (left-- > 0) if (!process.stdout.write('x'.repeat(1023) + '\\n')) return process.stdout.once('drain', go);
        require('fs').writeFileSync(${JSON.stringify(done)}, '');
        process.stdout.write('the end');
      };
      go();
      setInterval(() => {}, 1000);`);
    await look(terminal);
    await untilTrue('all is written', () => existsSync(done));
    assert.match(textOf(await lookFor(terminal, 'the end')), /the end/);
  });
});
