import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentEvent, DetectedAgent } from '../../../../src/adapters/agent.ts';
import { createClaudeAdapter } from '../../../../src/adapters/claude/claudeAdapter.ts';
import { endOfLines, findConversationFile } from '../../../../src/adapters/claude/conversationFile.ts';
import { createNodeProgramFinder } from '../../../../src/adapters/claude/nodeProgramFinder.ts';

const id = '5e3f1c52-2f0b-4c7e-9a63-0d8d3b0f7a11';
const agent: DetectedAgent = {
  version: '2.1.332',
  command: { argv: ['/bin/claude'], env: { MANAGED: '1' } },
};

const lineOf = (type: string, uuid: string, fields: object): string =>
  `${JSON.stringify({ type, uuid, isSidechain: false, entrypoint: 'cli', ...fields })}\n`;
const prompt = (uuid: string): string => lineOf('user', uuid, { message: { content: `prompt ${uuid}` } });
const answer = (uuid: string): string =>
  lineOf('assistant', uuid, {
    message: { id: `msg_${uuid}`, content: [{ type: 'text', text: 'said' }], stop_reason: 'end_turn' },
  });
const turnOver = (uuid: string): string => lineOf('system', uuid, { subtype: 'turn_duration' });

describe('the terminal of Claude Code', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'tn-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const userEnv = (): Readonly<Record<string, string>> => ({ HOME: home, USERPROFILE: home });
  function terminal(env: Readonly<Record<string, string>> = {}) {
    const finder = createNodeProgramFinder({});
    const adapter = createClaudeAdapter({ finder, env, userEnv: userEnv() });
    assert.ok(adapter.terminal !== false);
    return adapter.terminal;
  }
  function fileIn(project: string, config = join(home, '.claude')): string {
    const folder = join(config, 'projects', project);
    mkdirSync(folder, { recursive: true });
    return join(folder, `${id}.jsonl`);
  }

  it('is what a user would type, with nothing of a managed run [T86]', () => {
    const own = terminal({ OWN: '2' });
    const resumed = own.command(agent, { id, isNew: false });
    assert.deepEqual(resumed.argv, ['/bin/claude', '--resume', id]);
    assert.deepEqual(own.command(agent, { id, isNew: true }).argv, ['/bin/claude', '--session-id', id]);
    assert.deepEqual(resumed.env, { CLAUDE_CODE_ENTRYPOINT: 'cli', OWN: '2' });
    assert.match(own.newId(), /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
    assert.notEqual(own.newId(), own.newId());
  });

  it('has its record in any project’s folder, by its name, in the newest file', () => {
    assert.equal(findConversationFile(id, userEnv()), undefined);
    const [older, newer] = [fileIn('-some-where'), fileIn('-else')];
    writeFileSync(older, '');
    assert.equal(findConversationFile(id, userEnv()), older);
    writeFileSync(newer, '');
    utimesSync(older, 1, 1);
    assert.equal(findConversationFile(id, userEnv()), newer);
    const elsewhere = fileIn('-p', join(home, 'other'));
    writeFileSync(elsewhere, prompt('a'));
    const record = terminal({ CLAUDE_CONFIG_DIR: join(home, 'other') }).openRecord(agent, id);
    assert.equal(record.end, prompt('a').length);
  });

  it('looks for no file outside of the projects, whatever an id says', () => {
    writeFileSync(join(home, 'secret.jsonl'), 'x\n');
    fileIn('-p');
    for (const bad of ['../../../secret', '../secret', '', 'a/b', 'x'.repeat(200)])
      assert.equal(findConversationFile(bad, userEnv()), undefined, bad);
  });

  it('is found beside a folder that cannot be looked into', () => {
    const file = fileIn('-p');
    writeFileSync(file, '');
    symlinkSync('itself', join(dirname(dirname(file)), 'itself'));
    assert.equal(findConversationFile(id, userEnv()), file);
  });

  it('counts whole lines only, in files of any size', () => {
    const file = fileIn('-p');
    assert.equal(endOfLines(file), 0, 'not there');
    const sizes: readonly (readonly [content: string, end: number])[] = [
      ['', 0],
      ['unfinished', 0],
      ['one\n', 4],
      ['one\ntwo', 4],
      [`one\n${'x'.repeat(200_000)}`, 4],
      [`${'x'.repeat(200_000)}\ny`, 200_001],
    ];
    for (const [content, end] of sizes) {
      writeFileSync(file, content);
      assert.equal(endOfLines(file), end);
    }
  });

  it('is empty while the model was asked for nothing: a terminal that was opened and left cannot be resumed', () => {
    const file = fileIn('-p');
    const record = terminal().openRecord(agent, id);
    const command = (text: string): string => lineOf('user', text, { message: { content: text } });
    const left =
      command('<command-name>/exit</command-name>') +
      command('<local-command-stdout>Bye!</local-command-stdout>') +
      lineOf('system', 's', { subtype: 'local_command' });
    assert.equal(record.isEmpty, true, 'no file');
    writeFileSync(file, left);
    assert.equal(record.isEmpty, true);
    for (const said of [prompt('a'), answer('b')]) {
      writeFileSync(file, left + said);
      assert.equal(record.isEmpty, false);
    }
    writeFileSync(file, 'x'.repeat(1_100_000));
    assert.equal(record.isEmpty, false, 'a long one is not read through');
  });

  it('follows a conversation that has no file yet, and names it the same after a restart', async () => {
    const finished = new AbortController();
    const record = terminal().openRecord(agent, id);
    assert.deepEqual([record.end, record.sourceId], [0, `record-${id}`]);
    assert.equal(terminal().openRecord(agent, id).sourceId, record.sourceId);
    assert.ok(record.sourceId.length <= 64);
    const events: AgentEvent[] = [];
    const following = (async () => {
      for await (const event of record.follow(0, finished.signal)) {
        events.push(event);
        if (event.type === 'turn_end') finished.abort();
      }
    })();
    const file = fileIn('-p');
    for (const line of [prompt('p'), answer('a'), turnOver('t')]) appendFileSync(file, line);
    await following;
    const ends = [prompt('p'), prompt('p') + answer('a'), prompt('p') + answer('a') + turnOver('t')].map(
      text => text.length,
    );
    assert.deepEqual(
      events.map(event => (event.type === 'line' ? event.end : event.type)),
      [ends[0], 'desk_prompt', ends[1], 'block', ends[2], 'turn_end', 'checkpoint'],
    );
    assert.deepEqual(events.at(-1), { type: 'checkpoint', offset: ends[2] });
  });

  it('tells the end of a turn that nobody wrote, when nobody writes any more', async () => {
    writeFileSync(fileIn('-p'), prompt('p') + answer('a'));
    const record = terminal().openRecord(agent, id);
    const told = async (from: number): Promise<readonly AgentEvent[]> => {
      const events: AgentEvent[] = [];
      for await (const event of record.follow(from, AbortSignal.abort())) events.push(event);
      return events;
    };
    const end = { type: 'turn_end', reason: 'completed' };
    assert.deepEqual((await told(0)).at(-2), end);
    assert.deepEqual(await told(record.end), [
      { type: 'line', end: record.end },
      end,
      { type: 'checkpoint', offset: record.end },
    ]);
  });

  it('tells it, too, when nothing follows the last word for a while', async function () {
    this.slow(10_000);
    writeFileSync(fileIn('-p'), prompt('p') + answer('a'));
    const finished = new AbortController();
    for await (const event of terminal().openRecord(agent, id).follow(0, finished.signal))
      if (event.type === 'turn_end') break;
    assert.ok(!finished.signal.aborted);
  });
});
