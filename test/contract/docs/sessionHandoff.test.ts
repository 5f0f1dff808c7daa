import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as prettier from 'prettier';
import type { AgentAdapter } from '../../../src/adapters/agentAdapter.ts';
import { createClaudeAdapter } from '../../../src/adapters/claude/claudeAdapter.ts';
import { createNodeProgramFinder } from '../../../src/adapters/claude/nodeProgramFinder.ts';
import { createDemoAdapter } from '../../../src/adapters/demo/demoAdapter.ts';
import { systemClock } from '../../../platform/node/systemClock.ts';

const file = join(import.meta.dirname, '..', '..', '..', 'docs', 'session-handoff.md');
const [begin, end] = ['<!-- matrix: made from the adapters', '<!-- /matrix -->'];

/** Every adapter of this build, as the extension makes it. */
const adapters: readonly AgentAdapter[] = [
  createClaudeAdapter({
    finder: createNodeProgramFinder({}),
    dialogs: { hook: ['hook'], clock: systemClock },
  }),
  createDemoAdapter({ argv: [], env: {} }, '/nowhere'),
];

const columns: readonly (readonly [title: string, has: (adapter: AgentAdapter) => boolean])[] = [
  ['Continue in Terminal', ({ terminal }) => terminal !== false],
  ['read along in its terminal', ({ terminal }) => terminal !== false],
  [
    'its terminal’s dialogs on the phone',
    ({ terminal }) => terminal !== false && terminal.prompts !== undefined,
  ],
  ['found when started by hand', ({ external }) => external !== false],
  ['earlier conversations listed', ({ external }) => external !== false],
  ['left to whoever opens it by hand', ({ external }) => external !== false],
];

function matrix(): string {
  const rows = columns.map(
    ([title, has]) => `| ${title} | ${adapters.map(each => (has(each) ? 'yes' : 'no')).join(' | ')} |`,
  );
  const head = `| | ${adapters.map(({ displayName }) => displayName).join(' | ')} |`;
  return [head, `| --- |${' --- |'.repeat(adapters.length)}`, ...rows].join('\n');
}

describe('docs/session-handoff.md [T105] [T116]', () => {
  it('has the coverage that the adapters declare', async () => {
    const text = readFileSync(file, 'utf8');
    const from = text.indexOf('\n', text.indexOf(begin)) + 1;
    const to = text.indexOf(end);
    assert.ok(from > 0 && to >= from);
    const options = (await prettier.resolveConfig(file)) ?? {};
    const made = await prettier.format(`${text.slice(0, from)}\n${matrix()}\n\n${text.slice(to)}`, {
      ...options,
      parser: 'markdown',
    });
    if (process.env.RESET_GOLDEN === '1') writeFileSync(file, made);
    assert.equal(readFileSync(file, 'utf8'), made, 'RESET_GOLDEN=1 writes it');
  });
});
