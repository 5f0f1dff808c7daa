import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentId } from '../../core/protocol/ids.ts';
import { say, use } from '../fakes/anthropic/script.ts';
import { startAnthropic, type Anthropic } from '../fakes/anthropic/startAnthropic.ts';
import { describeKillings, type KillTable, type Outcome } from '../fakes/processChain/describeKillings.ts';
import { ProcessChain } from '../fakes/processChain/processChain.ts';
import { acceptOnce } from './acceptOnce.ts';

const version = process.env.TERMINULL_CLAUDE_VERSION ?? '';
const apiKey = 'sk-ant-no-such-key';

const done: Outcome = 'delivered, completed, ok, 1 begun, 1 ended';
const stopped: Outcome = 'delivered, interrupted, interrupted, 1 begun, 0 ended';
const failed: Outcome = 'delivered, error, no call, 0 begun, 0 ended';
const unanswered: Outcome = 'delivered, error, unknown, 0 begun, 0 ended';
const brokenOff: Outcome = 'delivered, error, unknown, 1 begun, 0 ended';
const unheard: Outcome = 'not_delivered, error, no call, 0 begun, 0 ended';
const late: Outcome = 'delivered, completed, denied, 0 begun, 0 ended';

/** What each killing comes to. Nothing is ever done twice. */
const table: KillTable = {
  // Before it has said a word, it may have heard the prompt or not: what waits is kept, and a later prompt lets it go.
  starts: {
    bridge: [done],
    relay: [done],
    keeper: [failed, unheard, late],
    agent: [failed, unheard, late],
  },
  // Its words and what it asks come one right after the other. A version that has written nothing down yet begins anew.
  streams: { bridge: [done], relay: [done], keeper: [failed, unanswered], agent: [failed, unanswered] },
  asks: { bridge: [done], relay: [done], keeper: [unanswered], agent: [unanswered] },
  runs: { bridge: [done], relay: [done], keeper: [brokenOff], agent: [brokenOff] },
  // A stop that was cut off on its way is not taken for one that arrived: the phone offers it again.
  stops: {
    bridge: [done, stopped],
    relay: [done, stopped],
    keeper: [brokenOff, stopped],
    agent: [brokenOff, stopped],
  },
  rests: { bridge: [done], relay: [done], keeper: [done], agent: [done] },
};

describe(`kill -9 with the real Claude Code ${version}, at every step of a turn [D1] [D3] [D5] [M69] [M71]`, function () {
  this.timeout(120_000);
  let anthropic: Anthropic;
  let home: string;
  before(async () => {
    anthropic = await startAnthropic();
    anthropic.script('hello again', [[say('Hello.')]]);
  });
  after(async () => {
    await anthropic.dispose();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  describeKillings({
    agent: agentId.parse('claude-code'),
    table,
    start: () => {
      home = realpathSync(mkdtempSync(join(tmpdir(), 'tn-home-')));
      mkdirSync(join(home, 'tmp'));
      const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'tn-work-')));
      acceptOnce({ home, workspace, version, apiKey });
      const env = {
        HOME: home,
        TMPDIR: join(home, 'tmp'),
        ANTHROPIC_BASE_URL: anthropic.url,
        ANTHROPIC_API_KEY: apiKey,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      };
      return ProcessChain.start({ executable: process.env.TERMINULL_CLAUDE ?? '', env }, workspace);
    },
    promptFor: command => {
      const prompt = `please run ${command}`;
      anthropic.script(prompt, [[say('I will. '), use('Bash', { command })], [say('Done.')]]);
      return prompt;
    },
  });
});
