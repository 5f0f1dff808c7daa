import type { Block } from '../../core/protocol/block/block.ts';
import { blockId, turnId, type BlockId } from '../../core/protocol/ids.ts';

/** Words of no meaning, with what JSON has to escape here and there. */
const words = 'the quick brown fox jumps "over" the lazy dog;\n\tif (a < b) return 日本; ';

function prose(chars: number): string {
  return words.repeat(Math.ceil(chars / words.length)).slice(0, chars);
}

/**
 * The blocks of a turn: a prompt, a thought, calls with their results, an answer, the end.
 *
 * @param turn its number, which makes all ids
 * @param resultChars of what each of its ten calls gives
 */
export function sampleTurn(turn: number, resultChars: number): readonly Block[] {
  const turn_id = turnId.parse(`turn_${String(turn)}`);
  const ts = 1_700_000_000 + turn;
  const id = (name: string): BlockId => blockId.parse(`${name}_${String(turn)}`);
  const prompt = {
    type: 'user_echo' as const,
    ts,
    id: id('prompt'),
    text: prose(200),
    client_msg_id: `c${String(turn)}`,
  };
  const calls = Array.from({ length: 10 }, (_, index): readonly Block[] => {
    const call = id(`call${String(index)}`);
    const shown = { type: 'tool_call' as const, ts, turn_id, id: call, name: 'Read', title: 'a file' };
    const input = { file_path: `/work/src/file${String(index)}.ts` };
    return [
      { ...shown, kind: 'read', input, status: 'running' },
      { ...shown, kind: 'read', input, status: 'done' },
      {
        type: 'tool_result',
        ts,
        turn_id,
        id: id(`result${String(index)}`),
        tool_call_id: call,
        content: prose(resultChars),
        truncated: false,
        outcome: 'ok',
      },
    ];
  });
  return [
    { ...prompt, state: 'queued' },
    { ...prompt, turn_id, state: 'delivered' },
    { type: 'thinking', ts, turn_id, id: id('thought'), text: prose(600), done: true },
    ...calls.flat(),
    { type: 'text', ts, turn_id, id: id('answer'), text: prose(1_500), done: true },
    { type: 'session_end', ts, turn_id, id: id('end'), reason: 'completed' },
  ];
}
