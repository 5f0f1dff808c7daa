import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readHistory } from '../../../../src/adapters/claude/history.ts';
import { RecordLines } from '../../../contract/claude/recordLines.ts';
import { transcript } from '../../../contract/claude/transcript.ts';
import { answer, attachment, call, chain, prompt, result, turnOver, type ChainLine } from './chainLines.ts';

type Lines = readonly ChainLine[];
const turn = (words: string, after: string | null = null, fields: object = {}): Lines =>
  chain([prompt(words, { ...fields }), answer(`m.${words}`, `to ${words}`, { ...fields })], { after });
const endOf = (lines: Lines): string => lines.at(-1)?.uuid ?? '';

function live(lines: Lines, reader = new RecordLines({ ofAll: true })): readonly string[] {
  return told([...lines.flatMap(({ text }) => reader.receive(text)), ...reader.quiet()]);
}
function told(events: Parameters<typeof transcript>[0]): readonly string[] {
  return transcript(events)
    .trimEnd()
    .split('\n')
    .map(line => line.replace(/^(desk_prompt|text|progress|tool_call|tool_result) \S+ (done |100 )?/, '$1 '));
}

const one = turn('one');
const two = turn('two', endOf(one));
const three = turn('three', endOf(two));
/** Its user has gone back to before the second prompt. */
const instead = turn('instead', endOf(one));

const first = ['desk_prompt "one"', 'text "to one"', 'turn_end completed'];
const second = ['desk_prompt "two"', 'text "to two"', 'turn_end completed'];

describe('the branches of a conversation of Claude Code', () => {
  it('are told as they come: its user went back, and goes on from there', () => {
    assert.deepEqual(live([...one, ...two, ...instead]), [
      ...first,
      ...second.slice(0, 2),
      'turn_end completed',
      'progress "Went back to before “two”, and goes on from there."',
      'desk_prompt "instead"',
      'text "to instead"',
      'turn_end completed',
    ]);
    const [, , , , , , , , , note] = live([...one, ...two, ...three, ...instead]);
    assert.equal(
      note,
      'progress "Went back to before “two”, and goes on from there. 2 prompts are left in another branch."',
    );
  });

  it('begin anew, too, before all that was said', () => {
    const anew = live([...one, ...turn('other')]);
    assert.equal(anew[3], 'progress "Went back to before “one”, and goes on from there."');
  });

  it('are not mixed when two write at once', () => {
    const beside = turn('beside', endOf(one), { entrypoint: 'sdk-cli' });
    const [ask, reply] = two;
    assert.ok(ask && reply);
    assert.deepEqual(live([...one, ask, ...beside, reply]).slice(3), [
      'desk_prompt "two"',
      'turn_end interrupted',
      'progress "Went back to before “two”, and goes on from there."',
      'desk_prompt "beside"',
      'text "to beside"',
      'turn_end completed',
      'progress "Goes on in another branch, after “two”."',
      'text "to two"',
      'turn_end completed',
    ]);
  });

  it('of somebody else beside our terminal are mentioned, and left out', () => {
    const beside = turn('beside', endOf(one), { entrypoint: 'sdk-cli' });
    assert.deepEqual(live([...one, ...two, ...beside, ...three], new RecordLines()).slice(3), [
      'desk_prompt "two"',
      'text "to two"',
      'progress "Another branch begins before “two”, and is not shown: “beside”"',
      'turn_end completed',
      'desk_prompt "three"',
      'text "to three"',
      'turn_end completed',
    ]);
  });

  it('are none where calls ran at once, prompts were written in between, or the model was told something', () => {
    const ask = chain([prompt('run both'), call('m', 't1')]);
    const other = chain([call('m', 't2')], { after: endOf(ask) });
    const results = [
      ...chain([result('t1')], { after: endOf(ask) }),
      ...chain([result('t2')], { after: endOf(other) }),
    ];
    const done = chain([answer('n', 'both ran'), attachment(), turnOver()], { after: endOf(results) });
    const last = done[0];
    const caveat = chain([prompt('x', { isMeta: true }), prompt('next')], { after: last?.uuid ?? '' });
    const lines = live([...ask, ...other, ...results, ...done, ...caveat]);
    assert.ok(!lines.some(line => line.startsWith('progress')), lines.join('\n'));
    assert.equal(lines.filter(line => line.startsWith('desk_prompt')).length, 2);
  });

  it('are none after a compaction', () => {
    const boundary = chain([
      { type: 'system', subtype: 'compact_boundary', logicalParentUuid: endOf(two) },
      prompt('a summary', { isCompactSummary: true }),
    ]);
    const lines = live([...one, ...two, ...boundary, ...turn('three', endOf(boundary))]);
    assert.ok(!lines.some(line => line.startsWith('progress')), lines.join('\n'));
  });

  it('are not those of sub-agents', () => {
    const side = turn('beside', endOf(one), { isSidechain: true });
    assert.deepEqual(live([...one, ...side, ...two]), [...first, ...second]);
  });

  describe('of a file that is there already', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'tn-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    async function whole(lines: Lines, later: Lines = []): Promise<readonly string[]> {
      const file = join(folder, 'a.jsonl');
      writeFileSync(file, lines.map(({ text }) => `${text}\n`).join(''));
      const history = await readHistory(() => file, 0);
      return live([...lines, ...later], new RecordLines({ ofAll: true, history }));
    }

    it('are left out, but for the one that leads to its end, which says so where it begins', async () => {
      assert.deepEqual(await whole([...one, ...two, ...three, ...instead]), [
        ...first.slice(0, 2),
        'turn_end completed',
        'progress "Went back to before “two”, and goes on from there. 2 prompts are left in another branch."',
        'desk_prompt "instead"',
        'text "to instead"',
        'turn_end completed',
      ]);
    });

    it('are mentioned where somebody left them', async () => {
      const beside = turn('beside', endOf(one), { entrypoint: 'sdk-cli' });
      assert.deepEqual((await whole([...one, ...two, ...beside, ...three])).slice(3), [
        ...second.slice(0, 2),
        'progress "Another branch begins before “two”, and is not shown: “beside”"',
        'turn_end completed',
        'desk_prompt "three"',
        'text "to three"',
        'turn_end completed',
      ]);
    });

    it('are told from then on as they come', async () => {
      const lines = await whole([...one, ...two, ...instead], turn('and', endOf(two)));
      assert.deepEqual(lines.slice(-5), [
        'turn_end completed',
        'progress "Goes on in another branch, after “two”."',
        'desk_prompt "and"',
        'text "to and"',
        'turn_end completed',
      ]);
    });
  });
});
