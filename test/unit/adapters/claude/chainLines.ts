/** A line of a conversation's file, with its place in the chain. */
export interface ChainLine {
  readonly text: string;
  readonly uuid: string;
  /** Unix milliseconds. */
  readonly at: number;
}

export type Fields = Readonly<Record<string, unknown>>;

let drawn = 0;

export function prompt(text: string, fields: Fields = {}): Fields {
  return { type: 'user', message: { role: 'user', content: text }, ...fields };
}

export function answer(id: string, text: string, fields: Fields = {}): Fields {
  const content = [{ type: 'text', text }];
  return { type: 'assistant', message: { id, content, model: 'm', stop_reason: 'end_turn' }, ...fields };
}

export function call(id: string, tool: string): Fields {
  const content = [{ type: 'tool_use', id: tool, name: 'Bash', input: { command: 'ls' } }];
  return { type: 'assistant', message: { id, content, model: 'm', stop_reason: 'tool_use' } };
}

export function result(tool: string): Fields {
  const content = [{ type: 'tool_result', tool_use_id: tool, content: 'ran' }];
  return { type: 'user', message: { role: 'user', content }, toolUseResult: {} };
}

export function attachment(): Fields {
  return { type: 'attachment', attachment: { type: 'date' } };
}

export function turnOver(): Fields {
  return { type: 'system', subtype: 'turn_duration' };
}

/**
 * Lines that follow each other.
 *
 * @param from `after`: the id of the record that the first one follows; `at`: when it was written, in Unix milliseconds
 */
export function chain(
  records: readonly Fields[],
  { after = null, at = 1_000, everyMs = 1 }: { after?: string | null; at?: number; everyMs?: number } = {},
): readonly ChainLine[] {
  let parentUuid = after;
  return records.map((fields, index) => {
    drawn += 1;
    const uuid = `r${String(drawn)}`;
    const time = at + index * everyMs;
    const common = { isSidechain: false, entrypoint: 'cli', timestamp: new Date(time).toISOString() };
    const text = JSON.stringify({ parentUuid, uuid, ...common, ...fields });
    parentUuid = uuid;
    return { text, uuid, at: time };
  });
}
