import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Block } from '../../../core/protocol/block/block.ts';
import { agentId, blockId, turnId } from '../../../core/protocol/ids.ts';
import { Journal } from '../../../src/session/journal.ts';
import type { OutputPlace } from '../../../src/session/journalEntry.ts';
import { SessionRestorer } from '../../../src/session/restoreSession.ts';
import { sampleHeader, sampleText } from './sampleJournal.ts';

const turn_id = turnId.parse('turn_1');
const request: Block = {
  type: 'permission_request',
  ts: 5,
  turn_id,
  id: blockId.parse('ask1'),
  agent_id: agentId.parse('demo'),
  tool: 'Bash',
  title: 'Run ls',
  input: { command: 'ls' },
  cwd: '/work',
  digest: 'a'.repeat(64),
  risk: 'low',
  options: [{ id: 'allow', label: 'Allow', kind: 'allow_once' }],
};

function prompt(n: number, state: 'queued' | 'delivered', text = `say c${String(n)}`): Block {
  const id = `c${String(n)}`;
  return { type: 'user_echo', ts: n, id: blockId.parse(id), text, state, client_msg_id: id };
}

/** Everything that a state is made of: what is open, what waits, what was answered. */
const story: readonly (readonly [Block, OutputPlace?])[] = [
  [
    {
      type: 'agent_info',
      ts: 1,
      id: blockId.parse('agent'),
      agent_id: agentId.parse('demo'),
      display_name: 'Demo',
      version: '1',
      capabilities: { thinking: true, permissions: true, interrupt: true, diffs: true },
      cwd: '/work',
      native_id: 'n1',
    },
  ],
  [prompt(1, 'queued')],
  [prompt(1, 'delivered'), { source: 'k1', end: 10 }],
  [
    { ...sampleText('said'), turn_id },
    { source: 'k1', end: 20 },
  ],
  [
    { type: 'handoff_state', ts: 3, id: blockId.parse('h1'), state: 'mirroring', owner: 'terminal' },
    { source: 'm', end: 5 },
  ],
  [request, { source: 'k1', end: 30 }],
  [
    { ...request, id: blockId.parse('ask2') },
    { source: 'k1', end: 40 },
  ],
  [
    {
      type: 'permission_resolved',
      ts: 6,
      turn_id,
      id: blockId.parse('ask1'),
      option_id: 'allow',
      granted: true,
      by: 'device',
    },
  ],
  [
    {
      type: 'tool_call',
      ts: 7,
      turn_id,
      id: blockId.parse('call1'),
      name: 'Bash',
      title: 'ls',
      kind: 'execute',
      input: { command: 'ls' },
      status: 'running',
    },
    { source: 'k1', end: 50 },
  ],
  [
    { type: 'thinking', ts: 8, turn_id, id: blockId.parse('think'), text: 'hm', done: false },
    { source: 'k1', end: 60 },
  ],
  [prompt(2, 'queued')],
];

describe('the checkpoints of a journal [D5] [F12]', () => {
  let folder: string;
  let path: string;
  let later: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tjc-'));
    path = join(folder, 's1.jsonl');
    later = join(folder, 's1.journal');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** As a session does: a block is written, then it is part of the state. */
  function write(blocks: typeof story, options: { segmentEntries: number }): SessionRestorer {
    const state = new SessionRestorer();
    const journal = Journal.create(path, sampleHeader, { ...options, state });
    for (const [block, from] of blocks) {
      journal.append(block, from);
      state.add(block, from);
    }
    journal.dispose();
    return state;
  }

  function restore(options = {}): { state: SessionRestorer; read: number } {
    const state = new SessionRestorer();
    let read = 0;
    const opened = Journal.open(
      path,
      ({ block, from }) => {
        read += 1;
        state.add(block, from);
      },
      { ...options, state },
    );
    assert.ok(opened);
    opened.journal.dispose();
    return { state, read };
  }

  const checkpoints = (): readonly string[] =>
    readdirSync(later)
      .filter(name => name.endsWith('.state'))
      .map(name => join(later, name));

  it('hold all that a session goes on from, at whichever entry a file was sealed', () => {
    for (let segmentEntries = 1; segmentEntries < story.length; segmentEntries += 1) {
      const whole = write(story, { segmentEntries });
      const { state, read } = restore();
      assert.ok(read <= segmentEntries, 'only the newest file is read');
      assert.deepEqual(state.save(), whole.save());
      assert.equal(state.state.requests.has(blockId.parse('ask1')), true);
      assert.equal(state.state.answers.get(blockId.parse('ask1'))?.optionId, 'allow');
      assert.deepEqual([state.lastLine?.end, state.mirroredFrom?.end], [60, 5]);
      assert.equal(state.known.has(sampleText('said')), whole.known.has(sampleText('said')));
      rmSync(path);
      rmSync(later, { recursive: true });
    }
  });

  it('know every prompt, however long ago: the same one again is the same, and another under its id is refused', () => {
    const prompts = Array.from(
      { length: 500 },
      (_, n) => [[prompt(n, 'queued')], [prompt(n, 'delivered')]] as const,
    ).flat();
    write(prompts, { segmentEntries: 20 });
    const { prompts: known } = restore().state.state;
    for (let n = 0; n < 500; n += 1) {
      const id = `c${String(n)}`;
      assert.deepEqual(
        [known.has(id), known.holds(id, `say ${id}`), known.holds(id, 'else')],
        [true, true, false],
      );
    }
    assert.deepEqual([known.has('c500'), known.waiting], [false, []]);
  });

  it('stay small: what was said is not in them', () => {
    const long = Array.from({ length: 60 }, (_, n): (typeof story)[number] => {
      const text = 'x'.repeat(40_000);
      return [n % 2 === 0 ? sampleText(`t${String(n)}`, text) : prompt(n, 'delivered', text)];
    });
    write(long, { segmentEntries: 10 });
    assert.ok(checkpoints().every(file => statSync(file).size < 20_000));
  });

  it('are two at most, and for their owner alone', () => {
    write(story, { segmentEntries: 1 });
    assert.deepEqual(
      checkpoints().map(file => [
        Number(file.slice(later.length + 1).split('.')[0]),
        statSync(file).mode & 0o777,
      ]),
      [
        [9, 0o600],
        [10, 0o600],
      ],
    );
  });

  const spoil: readonly (readonly [string, (newest: string, older: string) => void])[] = [
    ['is gone', newest => rmSync(newest)],
    ['is empty', newest => writeFileSync(newest, '')],
    ['is cut', newest => writeFileSync(newest, readFileSync(newest, 'utf8').slice(0, -40))],
    [
      'is of another content than its digest says',
      newest => writeFileSync(newest, readFileSync(newest, 'utf8').replace('"n1"', '"n2"')),
    ],
    ['is another one', (newest, older) => writeFileSync(newest, readFileSync(older))],
    [
      'is of another session',
      newest => writeFileSync(newest, readFileSync(newest, 'utf8').replace('"s1"', '"s2"')),
    ],
    ['is no JSON', newest => writeFileSync(newest, 'hello\nworld\n')],
  ];
  for (const [what, how] of spoil)
    it(`are no more than a cache: one that ${what} is made anew from the entries`, () => {
      const whole = write(story, { segmentEntries: 3 });
      const [older, newest] = checkpoints();
      assert.ok(older !== undefined && newest !== undefined);
      const content = readFileSync(newest, 'utf8');
      how(newest, older);
      const { state, read } = restore();
      assert.deepEqual(state.save(), whole.save());
      assert.equal(read, 5, 'the file after the older one, and the newest');
      assert.equal(readFileSync(newest, 'utf8'), content);
      assert.equal(restore().read, 2);
    });

  it('do not count when the sealed file is another one than was sealed', () => {
    write(story, { segmentEntries: 3 });
    const names = readdirSync(later).filter(name => name.endsWith('.jsonl'));
    appendFileSync(join(later, names.at(-2) ?? ''), 'x\n');
    assert.equal(restore().read, 5);
  });

  it('do not count when they are of a version that comes to another state', () => {
    write(story, { segmentEntries: 3 });
    const saved = new SessionRestorer().save();
    assert.ok(typeof saved === 'object');
    assert.equal(new SessionRestorer().load({ ...saved, version: 1 }), false);
    assert.equal(new SessionRestorer().load(saved), true);
  });
});
