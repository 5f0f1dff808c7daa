import { blockId } from '../../../core/protocol/ids.ts';
import type { AgentEvent, ConversationRecord } from '../../../src/adapters/agent.ts';
import type { AgentAdapter } from '../../../src/adapters/agentAdapter.ts';

/** Which answer a mistake is made with, from 1. */
const nth = 2;

/** Reads what Claude Code writes with a mistake: one answer is left out, or told twice. */
export function spoilt(claude: AgentAdapter, mistake: 'drops' | 'doubles'): AgentAdapter {
  const { terminal } = claude;
  if (terminal === false) throw new Error('it has no terminal');
  let answers = 0;
  async function* follow(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent, void, void> {
    for await (const event of events) {
      const isAnswer = event.type === 'block' && event.block.type === 'text' && isLast(event.block.text);
      if (isAnswer) answers += 1;
      if (!isAnswer || answers !== nth) yield event;
      else if (mistake === 'doubles') {
        yield event;
        yield { type: 'block', block: { ...event.block, id: blockId.parse(`${event.block.id}.again`) } };
      }
    }
  }
  const around = (record: ConversationRecord): ConversationRecord => ({
    sourceId: record.sourceId,
    get end() {
      return record.end;
    },
    get isEmpty() {
      return record.isEmpty === true;
    },
    follow: (from, finished) => follow(record.follow(from, finished)),
  });
  return {
    ...claude,
    terminal: {
      newId: () => terminal.newId(),
      command: (agent, conversation) => terminal.command(agent, conversation),
      openRecord: (agent, nativeId) => around(terminal.openRecord(agent, nativeId)),
      ...(terminal.prompts === undefined ? {} : { prompts: place => wanted(terminal.prompts?.(place)) }),
    },
  };
}

function isLast(text: string): boolean {
  return text.startsWith('After ');
}

function wanted<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it is gone');
  return value;
}
