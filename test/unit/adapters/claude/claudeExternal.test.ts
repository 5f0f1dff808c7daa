import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStart } from '../../../../platform/node/files/processStart.ts';
import { claudeExternal } from '../../../../src/adapters/claude/claudeExternal.ts';
import type { AgentEvent } from '../../../../src/adapters/agent.ts';

const at = (seconds: number): string => new Date(1_800_000_000_000 + seconds * 1_000).toISOString();
const ms = (seconds: number): number => 1_800_000_000_000 + seconds * 1_000;

const lineOf = (type: string, uuid: string, fields: object): string =>
  `${JSON.stringify({ type, uuid, isSidechain: false, entrypoint: 'cli', cwd: '/work', ...fields })}\n`;
const prompt = (uuid: string, fields: object = {}): string =>
  lineOf('user', uuid, { message: { content: `prompt ${uuid}` }, ...fields });
const answer = (uuid: string, fields: object = {}): string =>
  lineOf('assistant', uuid, {
    message: {
      id: `msg_${uuid}`,
      content: [{ type: 'text', text: `said ${uuid}` }],
      stop_reason: 'end_turn',
    },
    ...fields,
  });

describe('conversations that the user has with Claude Code elsewhere [T106]', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'tce-'));
    mkdirSync(join(home, '.claude', 'sessions'), { recursive: true });
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const external = () => claudeExternal({ HOME: home, USERPROFILE: home });
  function write(project: string, id: string, content: string, seconds = 0): string {
    const folder = join(home, '.claude', 'projects', project);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${id}.jsonl`);
    writeFileSync(file, content);
    utimesSync(file, ms(seconds) / 1_000, ms(seconds) / 1_000);
    return file;
  }
  const note = (name: string, fields: object): void =>
    writeFileSync(join(home, '.claude', 'sessions', name), JSON.stringify(fields));

  it('are those whose records say that they were in the folder, the newest first, by their first words', async () => {
    write('-work', 'older', prompt('a') + answer('b'), 1);
    write('-whatever', 'newer', `{"type":"mode","mode":"x"}\n${prompt('c')}${answer('d')}`, 2);
    write('-work', 'of-elsewhere', prompt('e', { cwd: '/other' }), 3);
    write('-work', 'said-nothing', `${JSON.stringify({ type: 'attachment', cwd: '/work' })}\n`, 4);
    write('-work', 'half-a-line', prompt('f').slice(0, -1), 5);
    write('-work', 'no json', 'hello\n', 6);
    assert.deepEqual(await external().scan('/work', 10), [
      { nativeId: 'newer', cwd: '/work', title: 'prompt c', updatedAt: ms(2) },
      { nativeId: 'older', cwd: '/work', title: 'prompt a', updatedAt: ms(1) },
    ]);
    assert.deepEqual(
      (await external().scan('/work', 1)).map(({ nativeId }) => nativeId),
      ['newer'],
    );
    assert.deepEqual(await external().scan('/nowhere', 10), []);
  });

  it('are called what their user calls them, and are told once when they were moved', async () => {
    const titled = `${JSON.stringify({ type: 'custom-title', customTitle: 'My title', sessionId: 'x' })}\n`;
    write('-work', 'named', titled + prompt('a'), 1);
    write('-old', 'named', prompt('z'), 0);
    const scanner = external();
    assert.deepEqual(
      (await scanner.scan('/work', 10)).map(({ title }) => title),
      ['My title'],
    );
    write('-work', 'named', prompt('b'), 2);
    assert.deepEqual(
      (await scanner.scan('/work', 10)).map(({ title }) => title),
      ['prompt b'],
      'read anew',
    );
  });

  it('have an owner while a process lives that noted itself, and only as the process that it was', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    const fields = { pid, sessionId: 'live', cwd: '/work', status: 'busy', updatedAt: 5 };
    try {
      const start = processStart(pid) ?? '';
      note(`${String(pid)}.json`, { ...fields, procStart: start });
      const told = { pid, start, nativeId: 'live', cwd: '/work', activity: 'running', updatedAt: 5 };
      assert.deepEqual(external().owners(), [told]);
      for (const [status, activity] of [
        ['idle', 'idle'],
        ['waiting', 'waiting'],
        ['unheard of', 'idle'],
      ]) {
        note(`${String(pid)}.json`, { ...fields, status });
        assert.equal(external().owners()[0]?.activity, activity);
      }
      if (process.platform === 'linux') {
        note(`${String(pid)}.json`, { ...fields, procStart: '1' });
        assert.deepEqual(external().owners(), [], 'another process has its number now');
      }
      note(`${String(pid)}.json`, { ...fields, sessionId: '../../secret' });
      assert.deepEqual(external().owners(), [], 'no id of a conversation');
      note(`${String(pid)}.json`, { ...fields, cwd: 'x'.repeat(20_000) });
      assert.deepEqual(external().owners(), [], 'too much');
      note(`${String(pid)}.json`, fields);
      note('1.json', fields);
      note('notes.txt', fields);
      writeFileSync(join(home, '.claude', 'sessions', '2.json'), '{');
      mkdirSync(join(home, '.claude', 'sessions', '3.json'));
      if (process.platform !== 'win32') spawnSync('mkfifo', [join(home, '.claude', 'sessions', '4.json')]);
      assert.equal(external().owners().length, 1, 'a note is its own process’s');
    } finally {
      const gone = new Promise(resolve => child.on('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    }
    assert.deepEqual(external().owners(), [], 'its note is left behind');
  });

  it('have their owner however many notes were left behind, and whatever time one claims', () => {
    const own = { pid: process.pid, sessionId: 'live', cwd: '/work' };
    note(`${String(process.pid)}.json`, { ...own, updatedAt: 1e300 });
    // Above the highest number that a system gives to a process.
    for (let left = 0; left < 600; left += 1) {
      const pid = 900_000_000 + left;
      note(`${String(pid)}.json`, { ...own, pid, updatedAt: left });
    }
    assert.deepEqual(
      external()
        .owners()
        .map(({ pid, nativeId, updatedAt }) => ({ pid, nativeId, updatedAt })),
      [{ pid: process.pid, nativeId: 'live', updatedAt: 0 }],
    );
  });

  it('are read from what was said after a time on, wherever bookkeeping stands', async () => {
    const lines = [
      prompt('a', { timestamp: at(1) }),
      answer('b', { timestamp: at(2) }),
      `${JSON.stringify({ type: 'queue-operation', timestamp: at(9) })}\n`,
      prompt('c', { timestamp: at(3) }),
      answer('d', { timestamp: at(4) }),
    ];
    const file = write('-work', 'n', lines.join(''));
    const record = external().openRecord('n');
    const offsetOf = (count: number): number => Buffer.byteLength(lines.slice(0, count).join(''));
    assert.equal(await record.placeAfter(0), 0);
    assert.equal(await record.placeAfter(ms(0)), 0);
    assert.equal(await record.placeAfter(ms(1)), offsetOf(1));
    assert.equal(await record.placeAfter(ms(2)), offsetOf(3));
    assert.equal(await record.placeAfter(ms(4)), record.end, 'nothing is newer');
    assert.equal(await external().openRecord('unknown').placeAfter(0), 0);
    const long = `${JSON.stringify({ type: 'x', padding: 'y'.repeat(1_048_576) })}\n`;
    writeFileSync(file, prompt('old', { timestamp: at(1) }) + long.repeat(17) + lines.join(''));
    const from = await record.placeAfter(0);
    assert.ok(from > 0 && record.end - from <= 16 * 1_048_576, 'the end of a long one');
    assert.equal(
      (from - Buffer.byteLength(prompt('old', { timestamp: at(1) }))) % long.length,
      0,
      'a line begins there',
    );
  });

  it('tell what was said with and without a terminal, and when', async () => {
    write(
      '-work',
      'n',
      prompt('a', { timestamp: at(1), entrypoint: 'sdk-cli' }) +
        answer('b', { timestamp: at(2), entrypoint: 'sdk-cli' }) +
        prompt('c', { timestamp: 'sometime' }),
    );
    const told: AgentEvent[] = [];
    for await (const event of external().openRecord('n').follow(0, AbortSignal.abort())) told.push(event);
    const lines = told.flatMap(event => (event.type === 'line' ? [event.at] : []));
    assert.deepEqual(lines.slice(0, 2), [ms(1), ms(2)]);
    assert.deepEqual(
      told.flatMap(event => (event.type === 'desk_prompt' ? [event.text] : [])),
      ['prompt a', 'prompt c'],
    );
  });
});
