import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { screenshots, startRealChain, type RealChain } from './chain.ts';
import { pairByPanel } from './pairByPanel.ts';
import { isRunning, keptAgents } from './processes.ts';

describe('two windows of one editor, and one phone', function () {
  this.timeout(180_000);
  let chain: RealChain;
  let other: Page;
  let phone: Page;

  before(async () => {
    chain = await startRealChain();
    phone = (await chain.openPhone()).page;
    await chain.runCommand('Terminull: Pair Phone');
    await pairByPanel(chain, phone);
    await chain.runCommand('View: Close Editor');
    other = await chain.openWindow();
  });
  afterEach(async function () {
    if (this.currentTest?.isPassed() !== false) return;
    for (const [name, page] of Object.entries({ editor: chain.editor, other, phone }))
      await page.screenshot({ path: join(screenshots, `failed-${name}.png`) });
  });
  after(() => chain.dispose());

  const transcript = (): Locator => phone.getByRole('log');
  const row = (page: Page, name: RegExp): Locator => page.getByRole('treeitem', { name });
  const openView = (page: Page): Promise<void> =>
    page.getByRole('tab', { name: 'Terminull' }).first().click();

  async function prompt(text: string): Promise<void> {
    await phone.getByRole('textbox', { name: 'Message' }).fill(text);
    await phone.getByRole('button', { name: 'Send' }).click();
  }

  it('are one machine to the phone, paired once, and both know the phone [D6]', async () => {
    await openView(chain.editor);
    await openView(other);
    for (const page of [chain.editor, other]) await row(page, /Chrome on Linux, connected/).waitFor();
    await phone.getByText('2 windows').click();
    await phone.getByText('Windows', { exact: true }).waitFor();
    assert.equal(await phone.locator('.facts dd .path').filter({ hasText: chain.workspace }).count(), 2);
    await phone.screenshot({ path: join(screenshots, 'phone-two-windows.png') });
    await phone.getByRole('button', { name: 'Close' }).click();
  });

  it('hold a session in one of them, and the other takes it with its agent when that is closed [D6] [T103]', async () => {
    await phone.getByRole('button', { name: 'New session' }).click();
    await phone.screenshot({ path: join(screenshots, 'phone-which-window.png') });
    await phone.getByRole('textbox', { name: 'What should it do?' }).fill('hello');
    await phone.getByRole('button', { name: 'Start' }).click();
    await transcript().getByText('nothing runs before you allow it').waitFor();
    const holds = async (page: Page): Promise<boolean> => (await row(page, /^hello/).count()) > 0;
    await Promise.any([chain.editor, other].map(page => row(page, /^hello/).waitFor()));
    const [holder, heir] = (await holds(other)) ? [other, chain.editor] : [chain.editor, other];
    assert.equal(await holds(heir), false);
    const [agent] = keptAgents(chain.state);
    assert.ok(agent);
    await holder.close();
    await row(heir, /^hello, Demo agent, ready/).waitFor({ timeout: 60_000 });
    await prompt('hello again');
    await transcript().getByText('nothing runs before you allow it').nth(1).waitFor();
    assert.equal(await transcript().getByRole('article', { name: 'Prompt' }).count(), 2);
    assert.ok(isRunning(agent), 'the same agent');
    assert.equal(keptAgents(chain.state).length, 1);
  });
});
