import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { screenshots, startRealChain, type RealChain } from './chain.ts';

describe('a phone steers a session of a real editor', function () {
  this.timeout(120_000);
  let chain: RealChain;
  let phone: Page;
  /** The link that the first pairing used up. */
  let used: string;
  const foreign = new Set<string>();
  const notes = (): string => join(chain.workspace, 'demo-notes.md');

  before(async () => {
    chain = await startRealChain();
    const opened = await chain.openPhone();
    phone = opened.page;
    opened.context.on('request', request => {
      if (!request.url().startsWith(`${chain.relayUrl}/`) && !request.url().startsWith('data:'))
        foreign.add(request.url());
    });
  });
  after(() => chain.dispose());

  async function shoot(page: Page, name: string): Promise<void> {
    await page.screenshot({ path: join(screenshots, `${name}.png`) });
  }

  async function prompt(text: string): Promise<void> {
    await phone.getByRole('textbox', { name: /message|prompt/i }).fill(text);
    await phone.getByRole('button', { name: 'Send' }).click();
  }

  async function link(): Promise<string> {
    return chain.panel().getByRole('textbox', { name: 'Pairing link' }).inputValue();
  }

  it('pairs by the panel’s link and the typed code', async () => {
    await chain.runCommand('Terminull: Pair Phone');
    await chain.panel().getByRole('img', { name: 'Pairing code to scan' }).waitFor();
    await shoot(chain.editor, 'editor-panel-code');
    used = await link();
    await phone.goto(used);
    await shoot(phone, 'phone-invitation');
    assert.equal(new URL(phone.url()).hash, '', 'the secret is out of the address at once');
    await phone.getByRole('button', { name: 'Pair this phone' }).click();
    const shown = await phone.getByTestId('pairing-code').innerText();
    await shoot(phone, 'phone-code');
    const field = chain.panel().getByRole('textbox', { name: 'Six digits from the phone' });
    await field.fill(shown);
    await shoot(chain.editor, 'editor-panel-digits');
    await chain.panel().getByRole('button', { name: 'Pair', exact: true }).click();
    await chain.panel().getByText('is paired').waitFor();
    await phone.getByRole('button', { name: 'New session' }).first().waitFor();
    await shoot(chain.editor, 'editor-panel-paired');
    await shoot(phone, 'phone-list-empty');
  });

  it('shows a turn on the phone while it streams', async () => {
    await phone.getByRole('button', { name: 'New session' }).first().click();
    await shoot(phone, 'phone-new-session');
    await phone.getByRole('textbox').last().fill('hello');
    await phone.getByRole('button', { name: 'Start' }).click();
    // One look at the page sees all three, so that nothing can change in between: a part of the answer, and no end of it.
    await phone.waitForFunction(() => {
      const answer = document.querySelector('[role=log] .said')?.textContent ?? '';
      const stop = [...document.querySelectorAll('button')].find(
        button => button.innerText.trim() === 'Stop',
      );
      const isEarly =
        answer.includes('I need no account') && !answer.includes('nothing runs before you allow it');
      return isEarly && stop?.checkVisibility() === true;
    });
    await shoot(phone, 'phone-streaming');
    await phone.locator('[role=log] .said').getByText('nothing runs before you allow it').waitFor();
    await phone.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
    await shoot(phone, 'phone-answer');
  });

  it('lets the phone approve a tool, and the file changes in the workspace', async () => {
    await prompt('write a note from the phone');
    const approval = phone
      .getByRole('group', { name: /approval/i })
      .or(phone.getByRole('region', { name: /approval/i }));
    await approval.waitFor();
    assert.equal(existsSync(notes()), false);
    await approval.getByText('write a note from the phone').waitFor();
    await shoot(phone, 'phone-approval');
    await phone.getByRole('button', { name: /^Allow/ }).click();
    await phone.getByRole('log').getByText('has one more line').waitFor();
    assert.equal(readFileSync(notes(), 'utf8'), '- write a note from the phone\n');
    await shoot(phone, 'phone-diff');
  });

  it('lets the phone deny another, and nothing changes', async () => {
    await prompt('write a second note');
    await phone.getByRole('button', { name: /^Deny/ }).click();
    await phone.getByRole('log').getByText('so nothing was changed').waitFor();
    assert.equal(readFileSync(notes(), 'utf8'), '- write a note from the phone\n');
    await shoot(phone, 'phone-denied');
  });

  it('interrupts a turn from the phone', async () => {
    await prompt('count slowly');
    const transcript = phone.getByRole('log');
    await transcript.getByText('Step 2 of 200').waitFor();
    await phone.getByRole('button', { name: 'Stop' }).click();
    await phone.getByRole('button', { name: /^Stop/ }).waitFor({ state: 'hidden' });
    await transcript
      .getByText(/interrupted/i)
      .first()
      .waitFor();
    assert.equal(await transcript.getByText('Step 200 of 200').count(), 0);
    await shoot(phone, 'phone-interrupted');
  });

  it('shows the desk what goes on, and starts a session there that the phone sees', async () => {
    await chain.editor.getByRole('tab', { name: 'Terminull' }).first().click();
    await chain.editor.getByRole('treeitem', { name: /hello/ }).waitFor();
    await chain.editor.getByRole('treeitem', { name: /, connected$/ }).waitFor();
    await chain.runCommand('Terminull: New Session');
    const input = chain.editor.locator('.quick-input-widget input[type="text"]').first();
    await input.fill('write a note from the desk');
    await chain.editor.keyboard.press('Enter');
    await chain.editor.getByRole('treeitem', { name: /waits for you/ }).waitFor();
    await shoot(chain.editor, 'editor-sessions');
    await phone.getByRole('button', { name: 'Back' }).click();
    await phone.getByText('Add a line to demo-notes.md').first().waitFor();
    await shoot(phone, 'phone-list-waiting');
    await phone.getByText('Add a line to demo-notes.md').first().click();
    await phone.getByRole('button', { name: /^Deny/ }).click();
    await phone.getByRole('log').getByText('so nothing was changed').waitFor();
    await phone.getByRole('button', { name: 'Back' }).click();
  });

  it('knows its machine again after the page was closed, and reads the session from the start', async () => {
    await phone.reload();
    await phone.getByText('hello').first().click();
    const transcript = phone.getByRole('log');
    await transcript.getByText('nothing runs before you allow it').waitFor();
    await transcript
      .getByText(/interrupted/i)
      .first()
      .waitFor();
    await phone.emulateMedia({ colorScheme: 'dark' });
    await shoot(phone, 'phone-session-dark');
    await phone.getByRole('button', { name: 'Back' }).click();
    await shoot(phone, 'phone-list-dark');
    await phone.emulateMedia({ colorScheme: 'light' });
  });

  it('is installable, and opens without a network', async () => {
    const manifest = await phone.evaluate(async () => {
      await navigator.serviceWorker.ready;
      return (await fetch('/manifest.webmanifest')).text();
    });
    assert.match(manifest, /"display": "standalone"/);
    await phone.reload();
    await phone.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await phone.context().setOffline(true);
    await phone.reload();
    await phone.getByRole('heading', { name: 'Sessions' }).waitFor();
    // What it is paired with is known without a network, too.
    await phone.getByRole('heading', { name: 'Machine' }).waitFor();
    const isCutOff = await phone.evaluate(() =>
      fetch('/v1/health').then(
        () => false,
        () => true,
      ),
    );
    assert.ok(isCutOff, 'there was a network after all');
    await shoot(phone, 'phone-offline');
    await phone.context().setOffline(false);
    await phone.getByText('Ready').first().waitFor();
    await phone.getByRole('button', { name: 'New session' }).waitFor();
  });

  it('refuses a used link in plain words on the phone, and the editor says so', async () => {
    const other = await chain.openPhone('dark');
    await other.page.goto(used);
    await other.page.getByRole('button', { name: 'Pair this phone' }).click();
    await other.page.getByText('The link is wrong, used or expired.').waitFor();
    await shoot(other.page, 'phone-refused-dark');
    await chain.editor
      .getByText('A phone came with a pairing code that was used or has expired')
      .first()
      .waitFor();
    await shoot(chain.editor, 'editor-late-phone');
  });

  it('gives a code one try: after a wrong number both sides say that nothing was paired', async () => {
    await chain.runCommand('Terminull: Pair Phone');
    await chain.panel().getByRole('img', { name: 'Pairing code to scan' }).waitFor();
    const { page } = await chain.openPhone();
    await page.goto(await link());
    await page.getByRole('button', { name: 'Pair this phone' }).click();
    const shown = (await page.getByTestId('pairing-code').innerText()).replaceAll(/\D/g, '');
    const wrong = shown === '000000' ? '000001' : '000000';
    await chain.panel().getByRole('textbox', { name: 'Six digits from the phone' }).fill(wrong);
    await chain.panel().getByRole('button', { name: 'Pair', exact: true }).click();
    await chain.panel().getByText('That is not the number on the phone.').waitFor();
    await page.getByText('The desk did not confirm this phone.').waitFor();
    await shoot(chain.editor, 'editor-panel-wrong-number');
    await shoot(page, 'phone-wrong-number');
  });

  it('asked nobody but its relay for anything', () => {
    assert.deepEqual([...foreign], []);
  });
});

describe('the panel in a dark and a high-contrast theme', function () {
  this.timeout(120_000);
  for (const theme of ['Default Dark Modern', 'Default High Contrast']) {
    it(`is drawn with the colours of ${theme}`, async () => {
      const chain = await startRealChain({ 'workbench.colorTheme': theme });
      try {
        await chain.runCommand('Terminull: Pair Phone');
        const code = chain.panel().getByRole('img', { name: 'Pairing code to scan' });
        await code.waitFor();
        // A code that follows the theme could not be scanned.
        assert.equal(await code.locator('rect').getAttribute('fill'), '#fff');
        assert.equal(await code.locator('path').getAttribute('fill'), '#000');
        await chain.editor.screenshot({
          path: join(screenshots, `editor-panel-${theme.replaceAll(' ', '-')}.png`),
        });
      } finally {
        await chain.dispose();
      }
    });
  }
});
