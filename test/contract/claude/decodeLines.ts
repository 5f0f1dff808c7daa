import type { AgentEvent } from '../../../src/adapters/agent.ts';
import { ClaudeDecoder } from '../../../src/adapters/claude/claudeDecoder.ts';

/** What recorded lines amount to, with the number of lines before each checkpoint as its offset. */
export function decodeLines(lines: readonly string[]): readonly AgentEvent[] {
  const decoder = new ClaudeDecoder('/run/work');
  const events = lines.flatMap((line, index): AgentEvent[] => {
    const told = [...decoder.receive(line).events];
    return decoder.isSettled ? [...told, { type: 'checkpoint', offset: index + 1 }] : told;
  });
  return [...events, ...decoder.finish()];
}
