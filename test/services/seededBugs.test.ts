import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const model = 'test/unit/session/oneWriter.test.ts';

/** A mistake that somebody could make, in the words of the code. */
interface SeededBug {
  readonly name: string;
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

const bugs: readonly SeededBug[] = [
  {
    name: 'no fence: a window that was overtaken goes on writing',
    file: 'platform/node/files/processLease.ts',
    right: 'return !this.#isOver;',
    wrong: 'return true;',
  },
  {
    name: 'no dedupe: a prompt that is said again is taken again',
    file: 'src/session/promptDesk.ts',
    right: 'if (state.prompts.has(clientMsgId))',
    wrong: 'if (state.prompts.has(clientMsgId) && !actor)',
  },
  {
    name: 'no digest: an answer counts for whatever is asked',
    file: 'src/session/approval/approvalRecord.ts',
    right: "if (digest !== this.digestOf(request)) return fail('digest_mismatch');",
    wrong: '',
  },
  {
    name: 'lost flush: an answer reaches the agent before it reaches the disk',
    file: 'src/session/journal.ts',
    right: 'if (this.#open) fsyncSync(this.#tail.file);',
    wrong: '',
  },
  {
    name: 'double drain: a prompt that was given to the agent still waits',
    file: 'src/session/offeredPrompt.ts',
    right: "this.#record.appendPrompt(queuedPromptOf(next), 'queued', turn);",
    wrong: '',
  },
  {
    name: 'lost take back: somebody is told that it is done before it is on the disk',
    file: 'src/session/promptDesk.ts',
    right: `#kept(): Result<void, ErrorCode> {
    this.#record.journal.flush();`,
    wrong: '#kept(): Result<void, ErrorCode> {',
  },
  {
    name: 'lost turn: what was moved to the front goes as one of many once something held it',
    file: 'src/session/promptQueue.ts',
    right: 'prompts.urgent.has(client_msg_id) ? 1 : 2',
    wrong: '2',
  },
  {
    name: 'open too early: a session is there before its agent was found again',
    file: 'src/session/sessionStore.ts',
    right: `const agent =
      installed && (await starter.find(installed, restorer.state.agent?.native_id, restorer.mirroredFrom));
    if (this.#disposables.isDisposed || !lease.isCurrent()) {
      letGo(agent);
      journal.dispose();
      lease.dispose();
      return;
    }
    const session = this.#add(journal, restorer, lease, starter);`,
    wrong: `const session = this.#add(journal, restorer, lease, starter);
    const agent =
      installed && (await starter.find(installed, restorer.state.agent?.native_id, restorer.mirroredFrom));`,
  },
];

/** The model-based test of the session engine is worth what it catches. */
describe('the model of one writer', function () {
  this.timeout(120_000);
  let copy: string;
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'tn-bugs-'));
    for (const folder of ['core', 'platform', 'src', 'test/fakes', 'test/unit/session', 'package.json'])
      cpSync(join(root, folder), join(copy, folder), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  function run(): { readonly passes: boolean; readonly output: string } {
    const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
    const flags = ['--no-config', '--no-package', '--exit', '--timeout', '100000'];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [mocha, ...flags, '--require', join(copy, 'test/fakes/nightlyRuns.ts'), join(copy, model)],
      {
        cwd: copy,
        encoding: 'utf8',
        env: { ...process.env, TERMINULL_RUNS: '300', TERMINULL_FUZZ_SEED: '3' },
      },
    );
    return { passes: status === 0, output: `${stdout}${stderr}` };
  }

  it('passes on the code as it is', () => {
    const { passes, output } = run();
    assert.ok(passes, output);
  });

  for (const { name, file, right, wrong } of bugs)
    it(`catches ${name}`, () => {
      const path = join(copy, file);
      const code = readFileSync(path, 'utf8');
      assert.equal(code.split(right).length, 2, 'the code has other words now');
      writeFileSync(path, code.replace(right, wrong));
      try {
        const { passes, output } = run();
        assert.ok(!passes);
        assert.match(output, /Property failed after/, output);
      } finally {
        writeFileSync(path, code);
      }
    });
});
