import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentId } from '../../core/protocol/ids.ts';
import type { PermissionRequest } from '../../core/protocol/block.ts';
import type { PhoneSession } from '../../phone/state/phoneSession.ts';
import { createClaudeAdapter } from '../../src/adapters/claude/claudeAdapter.ts';
import { createNodeProgramFinder } from '../../src/adapters/claude/nodeProgramFinder.ts';
import { say, think, use } from '../fakes/anthropic/script.ts';
import { startAnthropic, type Anthropic } from '../fakes/anthropic/startAnthropic.ts';
import { startChain, type Chain } from '../fakes/chain.ts';
import { untilChange, untilSignal } from '../fakes/until.ts';

describe(`a phone and the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''}`, () => {
  let home: string;
  let anthropic: Anthropic;
  let chain: Chain;
  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'tn-home-'));
    mkdirSync(join(home, 'tmp'));
    anthropic = await startAnthropic();
    const env = {
      HOME: home,
      TMPDIR: join(home, 'tmp'),
      ANTHROPIC_BASE_URL: anthropic.url,
      ANTHROPIC_API_KEY: 'sk-ant-no-such-key',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    };
    const executable = process.env.TERMINULL_CLAUDE ?? '';
    const claude = createClaudeAdapter({ finder: createNodeProgramFinder(process.env), executable, env });
    chain = await startChain({ adapters: [claude] });
  });
  after(async () => {
    await chain.dispose();
    await anthropic.dispose();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  async function start(prompt: string): Promise<PhoneSession> {
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(w => w.state !== undefined),
    );
    return chain.machine.startSession(window.instance, agentId.parse('claude-code'), prompt);
  }

  function ended(session: PhoneSession, count = 1): Promise<readonly string[]> {
    return untilSignal('the end of the turn', session.conversation, ({ entries }) => {
      const ends = [...entries.values()].flatMap(entry =>
        entry.type === 'session_end' ? [entry.reason] : [],
      );
      return ends.length >= count ? ends : undefined;
    });
  }

  async function asked(session: PhoneSession): Promise<PermissionRequest> {
    const request = await untilSignal('a request', session.pending, pending => pending[0]);
    await untilSignal('the present', session.isCurrent, current => current);
    return request;
  }

  async function answer(session: PhoneSession, kind: 'allow_once' | 'deny'): Promise<void> {
    const request = await asked(session);
    const option = request.options.find(candidate => candidate.kind === kind);
    assert.ok(option);
    await session.answer(request, option);
  }

  it('streams an answer, runs what the phone allows, leaves what it denies, and is stopped', async () => {
    anthropic.script('greet me', [[think('A greeting.'), say('Hello, seen from afar.')]]);
    anthropic.script('allow it', [[use('Bash', { command: 'echo yes > allowed.txt' })], [say('It ran.')]]);
    anthropic.script('deny it', [[use('Bash', { command: 'echo no > denied.txt' })], [say('It did not.')]]);
    anthropic.script('go on', [[{ type: 'stall', text: 'I will never end' }]]);
    const session = await start('greet me');
    assert.deepEqual(await ended(session), ['completed']);
    const texts = [...session.conversation.value.entries.values()].flatMap(entry =>
      entry.type === 'text' ? [entry.text] : [],
    );
    assert.deepEqual(texts, ['Hello, seen from afar.']);

    session.prompt('allow it');
    await answer(session, 'allow_once');
    await ended(session, 2);
    assert.equal(readFileSync(join(chain.workspace, 'allowed.txt'), 'utf8'), 'yes\n');

    session.prompt('deny it');
    await answer(session, 'deny');
    await ended(session, 3);
    assert.equal(existsSync(join(chain.workspace, 'denied.txt')), false);

    session.prompt('go on');
    const turn = await untilSignal('a running turn', session.conversation, ({ entries, summary }) =>
      [...entries.values()].some(entry => entry.type === 'text' && entry.text.startsWith('I will never'))
        ? summary?.turn_id
        : undefined,
    );
    await session.interrupt(turn);
    assert.deepEqual(await ended(session, 4), ['completed', 'completed', 'completed', 'interrupted']);
  });

  it('goes on over a restart of the extension host: same process, one request, done once [D1]', async () => {
    anthropic.script('outlive it', [
      [say('First. '), use('Bash', { command: 'echo once >> count.txt' })],
      [say('Second.')],
    ]);
    const phoneSession = await start('outlive it');
    await asked(phoneSession);
    const before = chain.bridge.sessions.find(phoneSession.id);
    const pid = before?.agentPid;
    await chain.restartBridge();
    const session = chain.bridge.sessions.find(phoneSession.id);
    assert.ok(session);
    assert.equal(session.agentPid, pid);
    const [request, ...more] = session.pending;
    assert.ok(request);
    assert.equal(more.length, 0);
    assert.equal(session.answer(request.id, 'allow', request.digest, { kind: 'desktop' }).ok, true);
    await untilChange(
      'the end',
      () => [...session.history(0)].some(({ block }) => block.type === 'session_end'),
      session.onDidChange,
    );
    assert.equal(readFileSync(join(chain.workspace, 'count.txt'), 'utf8'), 'once\n');
    const texts = [...session.history(0)].flatMap(({ block }) =>
      block.type === 'text' ? [block.text.trim()] : [],
    );
    assert.deepEqual(texts, ['First.', 'Second.']);
  });
});
