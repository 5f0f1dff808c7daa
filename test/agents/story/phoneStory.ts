import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import type { Entry } from '../../../phone/state/conversation.ts';
import type { StoryRecord } from './storyLine.ts';

/** What a phone shows of a conversation: turn by turn, since a prompt that waited is shown where it was sent. */
export function phoneStory(session: PhoneSession): readonly StoryRecord[] {
  const { order, entries, results } = session.conversation.value;
  const all = order.flatMap(id => {
    const entry = entries.get(id);
    return entry === undefined ? [] : [entry];
  });
  const turns = new Map<string, Entry[]>();
  for (const entry of all)
    if (entry.type !== 'user_echo' && entry.turn_id !== undefined && !turns.has(entry.turn_id))
      turns.set(entry.turn_id, []);
  for (const entry of all) turns.get(entry.turn_id ?? '')?.push(entry);
  return [...turns.values()].flat().flatMap((entry): readonly StoryRecord[] => {
    switch (entry.type) {
      case 'user_echo':
        return entry.state === 'delivered' ? [{ kind: 'prompt', text: entry.text }] : [];
      case 'text':
        return [{ kind: 'text', text: entry.text.trim() }];
      case 'tool_call': {
        const result = results.get(entry.id);
        const ran = result === undefined ? undefined : result.outcome === 'ok';
        return [{ kind: 'call', name: entry.name, input: entry.input, ran, result: result?.content }];
      }
      case 'session_end':
        return [{ kind: 'end', how: entry.reason }];
      case 'error':
        return [{ kind: 'text', text: `error ${entry.code}: ${entry.message}` }];
      case 'thinking':
      case 'permission_request':
      case 'question':
      case 'diff':
      case 'handoff_state':
      case 'plan':
      case 'progress':
      case 'subagent':
      case 'unrecognised':
        return [];
    }
  });
}
