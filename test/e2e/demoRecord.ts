import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { demoFrame } from '../../src/adapters/demo/demoFrame.ts';

/**
 * What the demo agent was told and said in the conversation that began with `prompt`, by its own record: as
 * `PhoneApp.told` gives it, for texts without markup.
 *
 * @param state Terminull's state folder
 */
export function demoRecord(state: string, prompt: string): string[] {
  const folder = join(state, 'demo');
  const found = readdirSync(folder)
    .map(name => linesOf(readFileSync(join(folder, name), 'utf8')))
    .find(([first]) => first === `› ${prompt}`);
  if (found === undefined) throw new Error(`no conversation began with ${prompt}`);
  return found;
}

function linesOf(record: string): string[] {
  return record.split('\n').flatMap(line => {
    const parsed = demoFrame.safeParse(jsonValue(line));
    if (!parsed.success) return [];
    const frame = parsed.data;
    if (frame.type === 'prompt') return [`› ${frame.text}`];
    return frame.type === 'delta' && frame.role === 'text' ? [frame.text.replaceAll(/\s+/g, ' ').trim()] : [];
  });
}
