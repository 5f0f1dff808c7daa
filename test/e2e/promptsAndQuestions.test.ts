import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { screenshots, startRealChain, type RealChain } from './chain.ts';
import { demoRecord } from './demoRecord.ts';
import { layoutFaults } from './layoutFaults.ts';
import { pairByPanel } from './pairByPanel.ts';
import { PhoneApp } from './phoneApp.ts';
import { watchLongInput } from './watchLongInput.ts';

describe('what waits, what is asked, and what is allowed, on a phone', function () {
  this.timeout(120_000);
  let chain: RealChain;
  let page: Page;
  let phone: PhoneApp;

  before(async () => {
    chain = await startRealChain();
    page = (await chain.openPhone()).page;
    phone = new PhoneApp(page);
    await chain.runCommand('Terminull: Pair Phone');
    await pairByPanel(chain, page);
    // What shows a web page may take the focus late, and with it a list that is open.
    await chain.runCommand('View: Close Editor');
  });
  afterEach(async function () {
    if (this.currentTest?.isPassed() !== false) return;
    await page.screenshot({ path: join(screenshots, 'failed-phone.png') });
    await chain.editor.screenshot({ path: join(screenshots, 'failed-editor.png') });
  });
  after(() => chain.dispose());

  /** As it looks by day and by night; and that it can be read and tapped. */
  async function shoot(name: string): Promise<void> {
    assert.deepEqual(await layoutFaults(page), [], name);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      const path = join(screenshots, `phone-${name}${colorScheme === 'dark' ? '-dark' : ''}.png`);
      await page.screenshot({ path, animations: 'disabled' });
    }
  }

  const waiting = (text: string): Locator =>
    page.getByRole('article', { name: 'Prompt' }).filter({ hasText: text });
  /** Whether all of it can be seen without scrolling. */
  const inSight = async (locator: Locator): Promise<boolean> =>
    locator.evaluate(
      element =>
        new Promise<boolean>(resolve => {
          new IntersectionObserver(([seen]) => resolve(seen?.intersectionRatio === 1)).observe(element);
        }),
    );
  const transcriptHas = (text: string, count: number): Promise<void> =>
    phone.transcript
      .getByText(text)
      .nth(count - 1)
      .waitFor();
  /** The name of what has the focus. */
  const focused = (): Promise<string | null> =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);
  const button = (name: string, within: Locator | Page = page): Locator =>
    within.getByRole('button', { name, exact: true });

  it('changes and takes back what waits, and holds the rest after Stop', async () => {
    await phone.start('count slowly');
    await phone.reads('Step 2 of 200');
    await phone.prompt('hello, this is the first of two that wait');
    await phone.prompt('ask me, but this one is taken back');
    const second = waiting('taken back');
    await button('Cancel', second).waitFor();
    await shoot('prompts-waiting');
    await button('Cancel', second).tap();
    await second.waitFor({ state: 'detached' });
    assert.equal(await page.getByText('is working…').count(), 0);
    assert.equal(await focused(), 'Transcript');
    await button('Edit', waiting('first of two')).tap();
    const words = page.getByRole('textbox', { name: 'Prompt that waits' });
    await words.fill('hello, in other words');
    await shoot('prompt-edit');
    await button('Save').tap();
    await waiting('hello, in other words').getByText('Queued').waitFor();
    assert.equal(await focused(), 'Prompt');
    assert.equal(await waiting('first of two').count(), 0);
    await button('Stop').tap();
    await waiting('in other words').getByText('Held back').waitFor();
    await shoot('prompt-held');
    await page.reload();
    await button('Send now', waiting('in other words')).tap();
    await phone.reads('I need no account');
    await button('Stop').tap();
    await button('Stop').waitFor({ state: 'hidden' });
    const told = demoRecord(chain.state, 'count slowly');
    assert.deepEqual(
      told.filter(line => line.startsWith('›')),
      ['› count slowly', '› hello, in other words'],
    );
  });

  it('changes and takes back at the desk, too, what the phone has sent', async () => {
    const pick = chain.editor.locator('.quick-input-widget');
    const choose = (name: string | RegExp): Promise<void> => pick.getByRole('option', { name }).click();
    await phone.prompt('count slowly for the desk');
    await phone.reads('Step 2 of 200');
    await phone.prompt('hello, to be edited');
    await waiting('to be edited').waitFor();
    await chain.runCommand('Terminull: Change Waiting Prompts');
    await choose(/hello, to be edited, queued/);
    await choose(/^Edit$/);
    await pick.getByText('Edit what waits').waitFor();
    await pick.locator('input[type="text"]').first().fill('hello, as the desk says');
    await chain.editor.keyboard.press('Enter');
    await waiting('as the desk says').waitFor();
    await chain.runCommand('Terminull: Change Waiting Prompts');
    await pick.getByText('What waits for Demo agent').waitFor();
    await chain.editor.screenshot({ path: join(screenshots, 'editor-waiting.png') });
    await choose(/as the desk says/);
    await choose(/^Take Back$/);
    await waiting('as the desk says').waitFor({ state: 'detached' });
    await button('Stop').tap();
    await button('Stop').waitFor({ state: 'hidden' });
  });

  it('keeps what was typed when the prompt goes while it is edited', async () => {
    await phone.prompt('count slowly again');
    await phone.reads('Step 2 of 200');
    await phone.prompt('ask me from the queue');
    await button('Edit', waiting('from the queue')).tap();
    await page.getByRole('textbox', { name: 'Prompt that waits' }).fill('ask me, typed too late');
    await button('Stop').tap();
    await phone.prompt('ask me to go on');
    await button('Coffee').tap();
    await page.getByText('The agent has it already').waitFor();
    await shoot('prompt-edit-late');
    await button('Send as a new prompt').tap();
    await waiting('typed too late').waitFor();
    for (const count of [2, 3]) {
      await button('Coffee').tap();
      await transcriptHas('You would like this: Coffee.', count);
    }
    await button('Stop').waitFor({ state: 'hidden' });
    assert.deepEqual(
      demoRecord(chain.state, 'count slowly')
        .filter(line => line.startsWith('›'))
        .slice(-3),
      ['› ask me to go on', '› ask me from the queue', '› ask me, typed too late'],
    );
  });

  it('offers what was not delivered again, and puts it away, also after a reload', async () => {
    await phone.prompt('vanish');
    const lost = waiting('vanish');
    await button('Retry', lost).waitFor();
    await shoot('prompt-not-delivered');
    await page.reload();
    await button('Retry', lost).tap();
    await lost.getByText('sent again below').waitFor();
    await button('Retry', lost.last()).waitFor();
    await shoot('prompt-sent-again');
    assert.equal(await lost.count(), 2);
    await button('Discard', lost.first()).tap();
    await page.waitForFunction(() => document.querySelectorAll('.prompt .bad-text').length === 1);
    await button('Discard', lost).tap();
    await lost.waitFor({ state: 'detached' });
    assert.equal(demoRecord(chain.state, 'count slowly').includes('› vanish'), false);
  });

  it('answers a question with one of its answers, and another in own words', async () => {
    await phone.prompt('ask me');
    const card = page.getByRole('group', { name: 'Question' });
    const offered = card.getByRole('button', { name: 'Tea Green, if there is some' });
    await offered.and(page.locator(':enabled')).waitFor();
    // Words that would wait look like an answer: while the question is there, it alone takes any.
    await page.getByRole('textbox', { name: 'Message' }).waitFor({ state: 'hidden' });
    await shoot('question');
    await button('Back').tap();
    await page.getByText('Demo agent asks', { exact: true }).waitFor();
    await shoot('list-question');
    await page.getByText('What would you like to drink').tap();
    await button('Coffee', card).tap();
    await transcriptHas('You would like this: Coffee.', 4);
    await card.waitFor({ state: 'detached' });
    await phone.prompt('ask me once more');
    await card.getByRole('textbox', { name: 'own words' }).fill('Water, no ice');
    await button('Answer', card).and(page.locator(':enabled')).waitFor();
    await shoot('question-own-words');
    // As tall as what a keyboard leaves: the question and the way to answer it stay in sight.
    await page.setViewportSize({ width: 390, height: 440 });
    await shoot('question-keyboard');
    assert.deepEqual(
      await Promise.all([inSight(card.getByRole('heading')), inSight(button('Answer', card))]),
      [true, true],
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await button('Answer', card).tap();
    await phone.reads('You would like this: Water, no ice.');
    await phone.reads(/Answered by .*: Water, no ice/);
    await shoot('question-answered');
  });

  it('takes more than one answer where the agent wants several', async () => {
    await phone.prompt('ask me several');
    const send = page.getByRole('button', { name: 'Answer with these' });
    for (const name of [/^Tea/, /^Coffee/]) await page.getByRole('button', { name }).tap();
    assert.equal(await page.getByRole('button', { pressed: true }).count(), 2);
    await shoot('question-several');
    await send.tap();
    await phone.reads('You would like this: Tea, Coffee.');
  });

  it('shows a long request to its end before it can be allowed', async () => {
    const seen = await watchLongInput(page);
    await phone.prompt('write a long note about patience');
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLButtonElement>('.allow')].some(one => !one.disabled),
    );
    await page.getByText(/^[\d,]{6,} characters, scroll to read all$/).waitFor();
    await shoot('long-request');
    const states = await seen();
    assert.ok(states.some(({ note }) => note.startsWith('The action is long')));
    assert.ok(states.every(({ canAllow, isWhole }) => !canAllow || isWhole));
    const shown = await page.locator('.approval .value').last().innerText();
    await button('Allow').tap();
    await phone.reads('has one more line');
    const file = join(chain.workspace, 'demo-notes.md');
    assert.equal(shown.trim(), readFileSync(file, 'utf8').trim());
  });

  it('shows the full access that the desk gave, and takes it back', async () => {
    await chain.runCommand('Terminull: Choose Permissions');
    const picks = chain.editor.locator('.quick-input-widget');
    await picks.getByRole('option', { name: /Full Access/ }).click();
    await chain.editor.getByRole('button', { name: 'Give Full Access' }).click();
    await page
      .getByText(/full access/i)
      .first()
      .waitFor();
    await phone.prompt('run: touch without-asking');
    await phone.reads('The command succeeded.');
    assert.equal(existsSync(join(chain.workspace, 'without-asking')), true);
    await shoot('full-access');
    await button('Change permissions').tap();
    await shoot('full-access-sheet');
    await button('Ask again from now on').tap();
    await page.getByText('Asks, except').waitFor();
    await shoot('asks-again-sheet');
    await button('Close').tap();
    await page.getByText('Full access').waitFor({ state: 'detached' });
    await phone.prompt('run: touch only-if-allowed');
    await button('Deny').tap();
    await phone.reads('so nothing was run');
    assert.equal(existsSync(join(chain.workspace, 'only-if-allowed')), false);
  });
});
