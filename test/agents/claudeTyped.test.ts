import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { screenshots, startRealChain, type RealChain } from '../e2e/chain.ts';
import { terminalSettings } from '../e2e/desk.ts';
import { pairByPanel } from '../e2e/pairByPanel.ts';
import { say } from '../fakes/anthropic/script.ts';
import { startAnthropic, type Anthropic } from '../fakes/anthropic/startAnthropic.ts';
import { acceptOnce } from './acceptOnce.ts';

const version = process.env.TERMINULL_CLAUDE_VERSION ?? '';
const apiKey = 'sk-ant-no-such-key';

describe(`the real Claude Code ${version}, typed into a terminal of the real editor`, function () {
  this.timeout(180_000);
  let anthropic: Anthropic;
  let programs: string;
  let chain: RealChain;
  let phone: Page;

  before(async () => {
    anthropic = await startAnthropic();
    programs = mkdtempSync(join(tmpdir(), 'tn-bin-'));
    symlinkSync(process.env.TERMINULL_CLAUDE ?? '', join(programs, 'claude'));
    const settings = { ...terminalSettings, 'terminull.claudeCode.executable': join(programs, 'claude') };
    chain = await startRealChain(settings, {
      ANTHROPIC_BASE_URL: anthropic.url,
      ANTHROPIC_API_KEY: apiKey,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    });
    const home = dirname(chain.state);
    acceptOnce({ home, workspace: realpathSync(chain.workspace), version, apiKey });
    phone = (await chain.openPhone()).page;
  });
  afterEach(async function () {
    if (this.currentTest?.isPassed() !== false) return;
    await shoot(chain.editor, 'failed-editor');
    await shoot(phone, 'failed-phone');
  });
  after(async () => {
    await chain.dispose();
    await anthropic.dispose();
    rmSync(programs, { recursive: true, force: true });
  });

  const shoot = (page: Page, name: string): Promise<unknown> =>
    page.screenshot({ path: join(screenshots, `${name}.png`), animations: 'disabled' });
  const frame = (): Locator => chain.editor.locator('.terminal-wrapper.active');
  const atDesk = (text: string | RegExp): Promise<void> =>
    frame().locator('.xterm-rows').getByText(text).first().waitFor();
  const offer = (): Locator =>
    chain.editor.locator('.notification-toast', { hasText: 'Claude Code runs in this terminal.' });
  async function type(text: string): Promise<void> {
    await frame().click();
    await chain.editor.keyboard.type(text);
    await chain.editor.keyboard.press('Enter');
  }

  it('is offered to be shared, read along on the phone, and taken over when it is left [T106] [T107] [T111] [T112]', async () => {
    anthropic.script('said before', [[say('An earlier answer.')]]);
    anthropic.script('typed at the desk', [[say('Seen on the phone.')]]);
    anthropic.script('from the phone', [[say('Now for the phone.')]]);
    await chain.runCommand('Terminull: Pair Phone');
    await pairByPanel(chain, phone);
    await chain.runCommand('View: Close Editor');
    await chain.runCommand('Terminal: Create New Terminal');
    await atDesk(/ws[#$]/);
    await type(`${join(programs, 'claude')} --permission-mode default`);
    await atDesk('shortcuts');
    await offer().waitFor();
    await type('said before');
    await atDesk('An earlier answer.');
    await shoot(chain.editor, 'typed-offer');
    await chain.editor.getByRole('tab', { name: 'Terminull' }).first().click();
    await chain.editor
      .getByRole('treeitem', { name: 'Claude Code, not shared, in another terminal' })
      .waitFor();
    await shoot(chain.editor, 'typed-tree');
    await offer().getByRole('button', { name: 'Share Session' }).click();

    await phone.getByText('said before').first().click();
    await phone.getByText('An earlier answer.').first().waitFor();
    await phone.getByText('In another terminal at the desk').waitFor();
    await type('typed at the desk');
    await phone.getByText('Seen on the phone.').first().waitFor();
    await phone.getByRole('textbox', { name: 'Message' }).fill('from the phone');
    await phone.getByRole('button', { name: 'Send' }).click();
    await phone.getByText('Kept until the terminal is left').waitFor();
    await shoot(phone, 'typed-phone');
    assert.equal(anthropic.count('from the phone'), 0);
    await type('/exit');
    await phone.getByText('Now for the phone.').first().waitFor();
    assert.equal(
      anthropic.requests.at(-1)?.prompts.join(', '),
      'said before, typed at the desk, from the phone',
    );
  });

  it('is found from the phone when nobody shared it at the desk [T106]', async () => {
    anthropic.script('not shared', [[say('Private so far.')]]);
    await type(`PATH=${programs}:$PATH claude`);
    await atDesk('shortcuts');
    await type('not shared');
    await atDesk('Private so far.');
    await phone.getByRole('button', { name: 'Back' }).click();
    await phone.getByRole('button', { name: 'New session' }).click();
    await phone.getByRole('button', { name: 'Go on with one from the desk' }).click();
    const row = phone.getByRole('button', { name: 'not shared' });
    await row.waitFor();
    await shoot(phone, 'typed-from-desk');
    await row.click();
    await phone.getByText('Private so far.').first().waitFor();
    await phone.getByText('In another terminal at the desk').waitFor();
    await type('/exit');
  });
});
