import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { screenshots, startRealChain, type RealChain } from './chain.ts';
import { Desk, terminalSettings } from './desk.ts';
import { pairByPanel } from './pairByPanel.ts';
import { isRunning, keptAgents, until } from './processes.ts';

describe('a session moves between the phone and the integrated terminal', function () {
  this.timeout(120_000);
  let chain: RealChain;
  let desk: Desk;
  let phone: Page;

  before(async () => {
    chain = await startRealChain(terminalSettings);
    desk = new Desk(chain);
    phone = (await chain.openPhone()).page;
  });
  afterEach(async function () {
    if (this.currentTest?.isPassed() !== false) return;
    await shoot(chain.editor, 'failed-editor');
    await shoot(phone, 'failed-phone');
  });
  after(() => chain.dispose());

  const shoot = (page: Page, name: string): Promise<unknown> =>
    page.screenshot({ path: join(screenshots, `${name}.png`), animations: 'disabled' });
  const transcript = (): Locator => phone.getByRole('log');
  const quickPick = (): Locator => chain.editor.locator('.quick-input-widget');
  const notification = (text: string): Locator =>
    chain.editor.locator('.notification-toast', { hasText: text });

  async function prompt(text: string): Promise<void> {
    await phone.getByRole('textbox', { name: 'Message' }).fill(text);
    await phone.getByRole('button', { name: 'Send' }).click();
  }

  it('offers a new session to who shares before there is one', async () => {
    await chain.runCommand('Terminull: Share Session');
    await notification('There is no session yet').getByRole('button', { name: 'New Session' }).click();
    await quickPick().locator('input[type="text"]').first().fill('hello');
    await chain.editor.keyboard.press('Enter');
    await chain.editor.getByRole('tab', { name: 'Terminull' }).first().click();
    await chain.editor.getByRole('treeitem', { name: 'hello, Demo agent, ready' }).waitFor();
  });

  it('shows the pairing code to who shares a session before any phone is paired [D14]', async () => {
    await chain.runCommand('Terminull: Share Session');
    await pairByPanel(chain, phone);
    await phone.getByText('hello').first().waitFor();
    // As it says itself: what shows a web page may take the focus late, and with it a list that is open.
    await chain.runCommand('View: Close Editor');
  });

  it('then says who sees the session, and offers to pair another phone [D14]', async () => {
    await chain.runCommand('Terminull: Share Session');
    await quickPick().getByText('Who sees “hello”').waitFor();
    await quickPick()
      .getByRole('option', { name: /, connected/ })
      .waitFor();
    await quickPick()
      .getByRole('option', { name: /Pair Another Phone/ })
      .waitFor();
    await shoot(chain.editor, 'editor-share');
    await chain.editor.keyboard.press('Escape');
    await quickPick().waitFor({ state: 'hidden' });
    await chain.runCommand('Terminull: Share Session');
    await quickPick()
      .getByRole('option', { name: /Pair Another Phone/ })
      .click();
    await chain.panel().getByRole('img', { name: 'Pairing code to scan' }).waitFor();
    await chain.runCommand('View: Close Editor');
  });

  it('continues a session of the phone in the terminal, with its history [D2]', async () => {
    await phone.getByText('hello').first().click();
    await prompt('hello again');
    await transcript().getByText('nothing runs before you allow it').nth(1).waitFor();
    const row = chain.editor.getByRole('treeitem', { name: 'hello, Demo agent, ready' });
    await row.hover();
    await row.getByRole('button', { name: 'Continue in Terminal' }).waitFor();
    await chain.runCommand('Terminull: Continue in Terminal');
    await desk.shows('nothing runs before you allow it');
    await desk.scrollBack();
    await desk.shows('/exit leaves');
    await desk.shows('› hello');
    assert.equal(await desk.tabs.count(), 1);
    await phone.getByText('In the terminal at the desk').waitFor();
    await phone.getByPlaceholder('Message for later').waitFor();
  });

  it('shows on the phone what is typed at the desk, while it is done [D2]', async () => {
    await desk.type('write a note from the desk');
    await desk.shows('Allow it?');
    await transcript().getByText('write a note from the desk').first().waitFor();
    await transcript().getByText('Add a line to demo-notes.md').waitFor();
    await phone.getByText('Running in the terminal').waitFor();
    await shoot(phone, 'phone-in-terminal-running');
    await desk.type('y');
    await transcript().getByText('has one more line').waitFor();
    assert.equal(
      readFileSync(join(chain.workspace, 'demo-notes.md'), 'utf8'),
      '- write a note from the desk\n',
    );
    await phone.getByText('In the terminal', { exact: true }).waitFor();
    await prompt('count down for me');
    await transcript().getByText('Kept until the terminal is left').waitFor();
    await shoot(phone, 'phone-in-terminal');
    await shoot(chain.editor, 'editor-terminal');
    await phone.getByRole('button', { name: 'Back' }).click();
    await phone.getByText('in the terminal').waitFor();
    await shoot(phone, 'phone-list-in-terminal');
    await phone.getByText('hello').first().click();
  });

  it('asks when the tab is closed while a phone looks, lists what is kept, and opens it again [D2]', async () => {
    const [kept] = keptAgents(chain.state);
    assert.ok(kept?.isInTerminal);
    await desk.close();
    const question = notification('“hello” goes back to');
    await question.waitFor();
    await shoot(chain.editor, 'editor-closed-while-followed');
    await question.getByRole('button', { name: 'Keep Running' }).click();
    assert.equal(await desk.tabs.count(), 0);
    assert.ok(isRunning(kept));
    const row = chain.editor.getByRole('treeitem', { name: 'hello, Demo agent, in the terminal' });
    await row.hover();
    await row.getByRole('button', { name: 'Continue in Terminal' }).click();
    await desk.shows('has one more line');
    assert.equal(await desk.tabs.count(), 1);
    assert.ok(isRunning(kept));
  });

  it('goes back to the phone when its program is ended with the tab, and delivers what was kept [D2]', async () => {
    const [kept] = keptAgents(chain.state);
    assert.ok(kept?.isInTerminal);
    await desk.close();
    await notification('“hello” goes back to').getByRole('button', { name: 'Hand Over Now' }).click();
    await until('its program ends', () => !isRunning(kept));
    await transcript().getByText('Back from the terminal').waitFor();
    await transcript().getByText('Step 2 of 200').waitFor();
    assert.equal(await desk.tabs.count(), 0);
    await until('it is with the bridge', () => keptAgents(chain.state).some(agent => !agent.isInTerminal));
  });

  it('asks before it moves in the middle of a turn, and moves when that has stopped [D2]', async () => {
    await chain.runCommand('Terminull: Continue in Terminal');
    const question = notification('is in the middle of a turn');
    await question.waitFor();
    await shoot(chain.editor, 'editor-stop-and-continue');
    await question.getByRole('button', { name: 'Stop and Continue' }).click();
    await desk.shows('Step 2 of 200');
    await phone.getByText('In the terminal at the desk').waitFor();
    await transcript()
      .getByText(/interrupted/i)
      .last()
      .waitFor();
    assert.equal(await transcript().getByText('Step 200 of 200').count(), 0);
  });

  it('keeps a turn that runs when its terminal is closed, and asks what is to be done [D1]', async () => {
    const [kept] = keptAgents(chain.state);
    assert.ok(kept?.isInTerminal);
    await desk.type('count slowly');
    await desk.shows('Step 2 of 200');
    await desk.close();
    const question = notification('is still at work');
    await question.waitFor();
    await shoot(chain.editor, 'editor-closed-terminal');
    assert.ok(isRunning(kept));
    await question.getByRole('button', { name: 'Open Again' }).click();
    await desk.shows('Step 6 of 200');
    assert.ok(isRunning(kept));
    assert.equal(await desk.tabs.count(), 1);
    await desk.close();
    await question.getByRole('button', { name: 'End It' }).click();
    await until('its program ends', () => !isRunning(kept));
    await phone.getByPlaceholder('Message Demo agent').waitFor();
    await prompt('hello once more');
    await transcript().getByText('nothing runs before you allow it').nth(2).waitFor();
  });

  it('moves to a terminal at the desk when the phone says so, and comes back when that is left', async () => {
    assert.equal(desk.attached, 0);
    await phone.getByRole('heading').getByRole('button', { name: 'hello' }).click();
    await phone.getByRole('button', { name: 'Continue in the terminal' }).click();
    await phone.getByText('In the terminal at the desk').waitFor();
    // For whoever comes to the desk: it opens no panel that was closed.
    await until('its terminal is there', () => desk.attached === 1);
    await chain.runCommand('View: Toggle Terminal');
    await desk.shows('nothing runs before you allow it');
    assert.equal(await desk.tabs.count(), 1);
    await desk.close();
    const question = notification('goes back to');
    await question.getByRole('button', { name: 'Hand Over Now' }).click();
    await phone.getByPlaceholder('Message Demo agent').waitFor();
  });
});
