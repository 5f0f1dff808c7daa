import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KeptTerminals, untilTrue } from '../../fakes/keptTerminals.ts';

const signal = new AbortController().signal;
const submit = { submit: true };

describe('typing from afar into a real terminal [D2] [M49]', function () {
  this.timeout(40_000);
  let terminals: KeptTerminals;
  beforeEach(() => (terminals = new KeptTerminals()));
  afterEach(() => terminals.dispose());

  it('refuses what is too long and what are no keys, and takes the rest', async () => {
    const { terminal, address } = await terminals.run(`
      process.stdin.setRawMode(true);
      process.stdin.on('data', bytes => process.stdout.write('<' + bytes.toString('hex') + '>'));
      process.stdout.write('ready');`);
    const desk = terminals.sit(address);
    await untilTrue('it is ready', () => desk.tail.includes('ready'));
    const wide = '日'.repeat(65_536 / 3 + 1);
    assert.deepEqual(await terminal.paste(wide, submit, signal), { ok: false, code: 'too_long' });
    assert.deepEqual(await terminal.keys(new Uint8Array(1_025), signal), { ok: false, code: 'too_long' });
    const mark = Buffer.from('\u001b[200~');
    assert.deepEqual(await terminal.keys(mark, signal), { ok: false, code: 'not_keys' });
    assert.deepEqual(await terminal.keys(Buffer.from('\u001b[A'), signal), { ok: true, value: 'typed' });
    await untilTrue('the key is there', () => desk.tail.includes('<1b5b41>'));
    desk.type('x');
    await untilTrue('the desk types', () => desk.tail.includes('<78>'));
    assert.deepEqual(await terminal.paste('hi', submit, signal), { ok: false, code: 'desk_is_typing' });
    desk.type('\r');
    await untilTrue('the desk sends it off', () => desk.tail.includes('<0d>'));
    assert.deepEqual(await terminal.paste('hi', submit, signal), { ok: true, value: 'typed' });
    await untilTrue('the prompt is there, and its Enter', () => desk.tail.includes('<6869><0d>'));
  });

  it('knows of a mode that was switched on in the same breath', async () => {
    const { terminal, address } = await terminals.run(`
      process.stdin.setRawMode(true);
      process.stdin.on('data', bytes => process.stdout.write('<' + bytes.toString('hex') + '>'));
      process.stdout.write('x'.repeat(500000) + '\\x1b[?2004hready');`);
    const desk = terminals.sit(address);
    await untilTrue('it is ready', () => desk.tail.includes('ready'));
    await terminal.paste('hi', submit, signal);
    const marked = Buffer.from('\u001b[200~hi\u001b[201~').toString('hex');
    await untilTrue('it is marked', () => desk.tail.includes(`<${marked}><0d>`));
  });

  it('follows a program into application keys and out of them again, also in the same breath', async () => {
    const { terminal, address } = await terminals.run(`
      process.stdin.setRawMode(true);
      let on = false;
      process.stdin.on('data', bytes => {
        on = !on;
        const mode = on ? '\\x1b[?1h' : '\\x1b[?1l';
        process.stdout.write('x'.repeat(100000) + mode + '<' + bytes.toString('hex') + '>');
      });
      process.stdout.write('ready');`);
    const desk = terminals.sit(address);
    await untilTrue('it is ready', () => desk.tail.includes('ready'));
    for (const key of ['1b5b41', '1b4f42', '1b5b43', '1b4f44']) {
      const plain = Buffer.from(key.replace('4f', '5b'), 'hex');
      assert.deepEqual(await terminal.keys(plain, signal), { ok: true, value: 'typed' });
      await untilTrue(key, () => desk.tail.includes(`<${key}>`));
    }
  });

  it('interrupts by Ctrl+C: a signal where the terminal makes one of it, a key where the program wants keys [C50] [C48]', async () => {
    const { terminal, address } = await terminals.run(`
      process.on('SIGINT', () => {
        process.stdout.write('signal ');
        process.stdin.setRawMode(true);
      });
      process.stdin.on('data', bytes => process.stdout.write('<' + bytes.toString('hex') + '>'));
      process.stdout.write('ready');`);
    const desk = terminals.sit(address);
    await untilTrue('it is ready', () => desk.tail.includes('ready'));
    desk.type('half a thought');
    terminal.interrupt();
    await untilTrue('the signal', () => desk.tail.includes('signal '));
    const from = performance.now();
    terminal.interrupt();
    await untilTrue('the key', () => desk.tail.includes('<03>'));
    assert.ok(performance.now() - from < 250);
    assert.equal(desk.tail.split('signal ').length, 2, 'in raw mode it is no signal');
    assert.deepEqual(await terminal.paste('hi', submit, signal), { ok: true, value: 'typed' });
  });

  it('says that the program is gone, also to who waits for one that does not read', async () => {
    const { terminal } = await terminals.run(`
      process.stdin.setRawMode(true);
      process.stdin.pause();
      require('fs').writeFileSync('ready', '');
      setInterval(() => undefined, 1000);`);
    await untilTrue('it runs', () => existsSync(join(terminals.folder, 'ready')));
    const waiting = [terminal.paste('x'.repeat(65_536), submit, signal), terminal.paste('y', submit, signal)];
    terminal.end();
    for (const outcome of await Promise.all(waiting)) assert.deepEqual(outcome, { ok: false, code: 'gone' });
    await terminal.exited;
    assert.deepEqual(await terminal.paste('z', submit, signal), { ok: false, code: 'gone' });
    assert.deepEqual(await terminal.keys(Buffer.from('z'), signal), { ok: false, code: 'gone' });
  });

  it('says that it does not know when it is not waited for', async () => {
    const { terminal } = await terminals.run('setInterval(() => undefined, 1000);');
    const gone = new AbortController();
    const waiting = terminal.paste('x', submit, gone.signal);
    gone.abort();
    assert.deepEqual(await waiting, { ok: false, code: 'unanswered' });
    assert.deepEqual(await terminal.paste('x', submit, gone.signal), { ok: false, code: 'unanswered' });
  });
});
