import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonValue } from '../../core/base/jsonValue.ts';
import type { AgentLine, LineProcess } from '../../src/adapters/agent.ts';

const target = join(import.meta.dirname, '..', 'contract', 'claude', 'frames');

/** What a frame is kept without: accounts of use, and long lists that say nothing about a conversation. */
const leftOut: readonly string[] = [
  ...[
    'partial_json',
    'usage',
    'modelUsage',
    'model_usage_since_last_result',
    'subagent_stats',
    'total_cost_usd',
  ],
  ...['tools', 'slash_commands', 'skills', 'plugins', 'agents', 'commands', 'mcp_servers', 'capabilities'],
  ...['memory_paths', 'output_style', 'models', 'account', 'available_output_styles', 'output_styles'],
];

/**
 * Writes the frames of one scenario to test/contract/claude/frames when RECORD_FRAMES=1, for the golden transcripts. Paths
 * and ports of this run are taken out.
 */
export class FrameRecorder {
  readonly #file: string;
  readonly #folder: string;
  readonly #lines: string[] = [];

  constructor(scenario: string, version: string, folder: string) {
    this.#file = join(target, version, `${scenario}.jsonl`);
    this.#folder = folder;
  }

  wrap(process: LineProcess): LineProcess {
    if (globalThis.process.env.RECORD_FRAMES !== '1') return process;
    return {
      pid: process.pid,
      sourceId: process.sourceId,
      caughtUp: process.caughtUp,
      lines: this.#record(process.lines),
      exited: process.exited,
      writeLine: text => process.writeLine(text),
      acknowledge: offset => process.acknowledge(offset),
      end: () => process.end(),
      dispose: () => process.dispose(),
    };
  }

  async *#record(lines: AsyncIterable<AgentLine>): AsyncGenerator<AgentLine, void, void> {
    for await (const line of lines) {
      this.#lines.push(this.#clean(line.text));
      yield line;
    }
    mkdirSync(join(this.#file, '..'), { recursive: true });
    writeFileSync(this.#file, `${this.#lines.join('\n')}\n`);
  }

  #clean(line: string): string {
    // What the agent says of itself at the start is long and of no use here.
    const hello = { subtype: 'success', request_id: 'initialize' };
    if (line.includes('"request_id":"initialize"'))
      return JSON.stringify({ type: 'control_response', response: hello });
    const kept: unknown = JSON.stringify(jsonValue(line), (key, value: unknown) =>
      leftOut.includes(key) ? undefined : value,
    );
    return String(kept)
      .replaceAll(this.#folder, '/run')
      .replaceAll(this.#folder.replace(/[^A-Za-z0-9]/g, '-'), '-run')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:1');
  }
}
