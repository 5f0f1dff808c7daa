import assert from 'node:assert/strict';
import { limits } from '../../../../core/protocol/limits.ts';
import type { AgentEvent } from '../../../../src/adapters/agent.ts';
import { RecordLines } from '../../../contract/claude/recordLines.ts';
import { transcript } from '../../../contract/claude/transcript.ts';

/** Records as Claude Code writes them; each has an id of its own. */
let records = 0;
function record(type: string, fields: object): string {
  records += 1;
  const common = { isSidechain: false, uuid: `u${String(records)}`, entrypoint: 'cli' };
  return JSON.stringify({ ...common, type, ...fields });
}
const prompt = (text: unknown, fields: object = {}): string =>
  record('user', { message: { role: 'user', content: text }, ...fields });
const says = (id: string, block: object, stop_reason: string | null = null, fields: object = {}): string =>
  record('assistant', { message: { id, content: [block], model: 'm', stop_reason }, ...fields });
const text = (words: string): object => ({ type: 'text', text: words });
const call = (id: string): object => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } });
const result = (id: string, detail: unknown, fields: object = {}): string =>
  prompt([{ type: 'tool_result', tool_use_id: id, content: 'ran', ...fields }], { toolUseResult: detail });
const system = (subtype: string): string => record('system', { subtype });
const turnOver = (): string => system('turn_duration');
const interrupted = (): string => prompt([text('[Request interrupted by user]')]);
const queued = (fields: object): string =>
  record('attachment', { attachment: { type: 'queued_command', commandMode: 'prompt', ...fields } });

function decode(...lines: readonly string[]): readonly AgentEvent[] {
  const decoder = new RecordLines();
  return lines.flatMap(line => decoder.receive(line));
}
function told(...lines: readonly string[]): readonly string[] {
  return transcript(decode(...lines).map(withoutId))
    .trimEnd()
    .split('\n');
}
/** Ids of records are drawn here. */
function withoutId(event: AgentEvent): AgentEvent {
  return event.type === 'desk_prompt' ? { ...event, id: '-' } : event;
}

describe('the record of a conversation in Claude Code’s terminal', () => {
  it('gives a turn: its prompt, texts with the ids of a managed run, its end', () => {
    const lines = [
      prompt('hello'),
      says('msg_1', { type: 'thinking', thinking: 'hm', signature: 'x' }),
      says('msg_1', text('Hi.'), 'end_turn'),
      turnOver(),
    ];
    assert.deepEqual(told(...lines), [
      'desk_prompt - "hello"',
      'thinking msg_1.0 done "hm"',
      'text msg_1.1 done "Hi."',
      'turn_end completed',
    ]);
  });

  it('takes the place of a block in its message from the record where it is told', () => {
    assert.deepEqual(told(says('msg_1', text('b'), null, { apiBlockIndex: 3 })), ['text msg_1.3 done "b"']);
  });

  it('counts the blocks of a message, with results of its tools in between', () => {
    const lines = [says('m', text('a')), says('m', call('t1')), result('t1', {}), says('m', text('c'))];
    const ids = decode(...lines).flatMap(event => (event.type === 'block' ? [event.block.id] : []));
    assert.deepEqual(ids, ['m.0', 't1', 't1', 't1.result', 'm.2']);
  });

  it('gives calls, results and diffs as a managed run does', () => {
    const detail = {
      filePath: '/w/a',
      structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] }],
    };
    assert.deepEqual(told(prompt('go'), says('m', call('t1'), 'tool_use'), result('t1', detail)).slice(1), [
      'tool_call t1 running execute Bash "ls" {"command":"ls"}',
      'tool_call t1 done execute Bash "ls" {"command":"ls"}',
      'tool_result t1.result ok "ran"',
      'diff t1.diff /w/a +1 -1 "--- a/w/a\\n+++ b/w/a\\n@@ -1,1 +1,1 @@\\n-a\\n+b\\n"',
    ]);
  });

  it('tells a call that was denied from one that was stopped', () => {
    const outcomes = [{ toolDenialBeforeRun: true }, {}].map(fields => {
      const content = [{ type: 'tool_result', tool_use_id: 't', content: 'no', is_error: true }];
      const denied = prompt(content, { toolUseResult: 'User rejected tool use', ...fields });
      return told(says('m', call('t'), 'tool_use'), denied, interrupted()).slice(2);
    });
    assert.deepEqual(outcomes, [
      ['tool_result t.result denied "no"', 'turn_end interrupted'],
      ['tool_result t.result interrupted "no"', 'turn_end interrupted'],
    ]);
  });

  it('does not know what became of a call whose process was killed, nor does Claude Code when it goes on', () => {
    const words =
      '[Tool call interrupted: the session ended before this call’s result was recorded. It may have run.]';
    const repaired = prompt([{ type: 'tool_result', tool_use_id: 't', content: words, is_error: true }]);
    assert.equal(
      told(prompt('p'), says('m', call('t'), 'tool_use'), repaired)[3],
      `tool_result t.result unknown "${words}"`,
    );
  });

  it('ends a turn once, whatever follows', () => {
    const ends = (...lines: readonly string[]) =>
      told(prompt('p'), ...lines).filter(line => line.startsWith('turn_end'));
    assert.deepEqual(ends(interrupted(), turnOver(), turnOver()), ['turn_end interrupted']);
    assert.deepEqual(ends(says('m', text('a'), 'end_turn'), turnOver(), interrupted()), [
      'turn_end completed',
    ]);
  });

  it('ends a turn that has no written end when its last word was said and nothing follows', () => {
    const decoder = new RecordLines();
    for (const line of [prompt('p'), says('m', call('t'), 'tool_use')]) decoder.receive(line);
    assert.deepEqual(decoder.quiet(), [], 'a tool runs');
    for (const line of [result('t', {}), says('n', text('a'), 'end_turn')]) decoder.receive(line);
    assert.deepEqual(decoder.quiet(), [{ type: 'turn_end', reason: 'completed' }]);
    assert.deepEqual([decoder.quiet(), decoder.receive(turnOver())], [[], []]);
  });

  it('does not take a text for the last word that Claude Code makes the model go on after', () => {
    const decoder = new RecordLines();
    for (const line of [prompt('p'), says('m', text('a'), 'end_turn')]) decoder.receive(line);
    decoder.receive(prompt('Your response above was cut off', { isMeta: true }));
    assert.deepEqual(decoder.quiet(), []);
  });

  it('ends a turn without an end when the next prompt comes', () => {
    const killed = [prompt('one'), says('m', call('t'), 'tool_use'), prompt('two')];
    assert.deepEqual(told(...killed).slice(2), [
      'tool_call t error execute Bash "ls" {"command":"ls"}',
      'tool_result t.result unknown ""',
      'turn_end interrupted',
      'desk_prompt - "two"',
    ]);
    const done = [prompt('one'), says('m', text('a'), 'end_turn'), prompt('two')];
    assert.deepEqual(told(...done).slice(2), ['turn_end completed', 'desk_prompt - "two"']);
  });

  it('knows the prompt of a turn that was written after the first of its answers', () => {
    const lines = [says('m', call('t'), 'tool_use'), prompt('one'), result('t', {}), turnOver()];
    assert.deepEqual(
      told(...lines).map(line => line.replace(/ execute.*/, '')),
      [
        'tool_call t running',
        'desk_prompt - "one"',
        'tool_call t done',
        'tool_result t.result ok "ran"',
        'turn_end completed',
      ],
    );
  });

  it('tells a failure in our words, and ends its turn', () => {
    const failure = says('x', text('API Error: 429 too much'), 'stop_sequence', {
      uuid: 'e1',
      isApiErrorMessage: true,
      apiErrorStatus: 429,
      error: 'rate_limit',
    });
    const [, error, end, ...more] = told(prompt('p'), failure, turnOver());
    assert.match(error ?? '', /^error e1\.error rate_limited "The usage limit is reached\..*429 too much"$/);
    assert.deepEqual([end, more], ['turn_end error', []]);
  });

  it('tells a prompt that was typed while the agent worked once, in the turn that runs', () => {
    const lines = [
      prompt('one'),
      says('m', call('t'), 'tool_use'),
      record('queue-operation', { operation: 'enqueue', content: 'two' }),
      record('queue-operation', { operation: 'remove', content: 'two' }),
      result('t', {}),
      queued({ prompt: 'two' }),
      says('n', text('a'), 'end_turn'),
      turnOver(),
    ];
    assert.deepEqual(
      told(...lines).filter(line => /^(desk|turn)/.test(line)),
      ['desk_prompt - "one"', 'desk_prompt - "two"', 'turn_end completed'],
    );
    const others = [{ commandMode: 'task-notification' }, { origin: { kind: 'peer' } }, { isMeta: true }];
    for (const other of others) assert.deepEqual(decode(queued({ prompt: 'x', ...other })), []);
  });

  it('takes a slash or shell command for a prompt once the model has something to do with it', () => {
    const slash =
      '<command-message>mine</command-message>\n<command-name>/mine</command-name>\n<command-args>a b</command-args>';
    const answer = says('m', text('a'), 'end_turn');
    assert.deepEqual(told(prompt(slash), prompt([text('do it')], { isMeta: true }), answer), [
      'desk_prompt - "/mine a b"',
      'text m.0 done "a"',
    ]);
    const shell = [prompt('<bash-input>ls</bash-input>'), prompt('<bash-stdout>x</bash-stdout>')];
    assert.equal(told(...shell, says('n', text('a'))).at(0), 'desk_prompt - "! ls"');
    const local = '<command-name>/compact</command-name>\n  <command-message>compact</command-message>';
    for (const output of [
      prompt('<local-command-stdout>done</local-command-stdout>'),
      system('local_command'),
    ])
      assert.deepEqual(told(prompt(local), output, prompt('next')), ['desk_prompt - "next"']);
  });

  it('passes over what nobody typed and nobody said', () => {
    const lines = [
      prompt('for the model', { isMeta: true }),
      prompt('a summary', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
      prompt('of a sub-agent', { isSidechain: true }),
      prompt('of a managed run', { entrypoint: 'sdk-cli' }),
      says('m', text('of a managed run'), 'end_turn', { entrypoint: 'sdk-cli' }),
      prompt('from another session', { origin: { kind: 'peer' } }),
      prompt('<task-notification>done</task-notification>'),
      prompt('<local-command-caveat>Caveat: …</local-command-caveat>'),
      prompt('Caveat: The messages below were generated by the user while running local commands.'),
      prompt('  '),
      says('m', text('No response requested.'), null, {
        message: { id: 's', model: '<synthetic>', content: [text('No response requested.')] },
      }),
      system('compact_boundary'),
      system('api_error'),
      ...['mode', 'last-prompt', 'file-history-snapshot', 'api-request-shape'].map(type => record(type, {})),
      record('attachment', { attachment: { type: 'prompt_snapshot' } }),
    ];
    assert.deepEqual(decode(...lines), []);
  });

  it('survives lines that are no records, and records of another shape', () => {
    const odd = [
      '',
      '{',
      'null',
      '[]',
      '"user"',
      '{"type":"user"}',
      '{"type":"assistant","uuid":"a","message":7}',
    ];
    assert.deepEqual(decode(...odd, prompt({ not: 'content' }), 'x'.repeat(5 * 1_048_576)), []);
  });

  it('tells records that are written again once', () => {
    const lines = [prompt('one'), says('m', text('a'), 'end_turn'), turnOver()];
    assert.deepEqual(decode(...lines, ...lines), decode(...lines));
  });

  it('bounds a prompt, and tells pictures by their kind', () => {
    const [event] = decode(prompt('x'.repeat(limits.textChars + 1)));
    assert.ok(event?.type === 'desk_prompt' && event.text.length === limits.textChars);
    assert.deepEqual(told(prompt([{ type: 'image', source: {} }, text('what is this?')])), [
      'desk_prompt - "[image]\\nwhat is this?"',
    ]);
  });

  it('is settled between turns only', () => {
    const decoder = new RecordLines();
    const lines = [prompt('p'), says('m', call('t')), result('t', {}), says('n', text('a')), turnOver()];
    const settled = lines.map(line => {
      decoder.receive(line);
      return decoder.isSettled;
    });
    assert.deepEqual(settled, [false, false, false, false, true]);
  });
});
