import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { screenshots, startRealChain, type RealChain } from './chain.ts';
import { Desk, terminalSettings } from './desk.ts';
import { layoutFaults } from './layoutFaults.ts';
import { pairByPanel } from './pairByPanel.ts';
import { PhoneApp } from './phoneApp.ts';
import { until } from './processes.ts';

describe('the screen of the integrated terminal, on the phone [D2]', function () {
  this.timeout(120_000);
  let chain: RealChain;
  let desk: Desk;
  let app: PhoneApp;
  let phone: Page;

  before(async () => {
    chain = await startRealChain(terminalSettings, { TERMINULL_DEMO_PACE_MS: '4' });
    desk = new Desk(chain);
    phone = (await chain.openPhone()).page;
    app = new PhoneApp(phone);
    await chain.runCommand('Terminull: Pair Phone');
    await pairByPanel(chain, phone);
    await chain.runCommand('View: Close Editor');
    await app.start('hello');
    await app.reads('nothing runs before you allow it');
    await chain.editor.getByRole('tab', { name: 'Terminull' }).first().click();
    await chain.editor.getByRole('treeitem', { name: 'hello, Demo agent, ready' }).waitFor();
    await chain.runCommand('Terminull: Continue in Terminal');
    await desk.shows('nothing runs before you allow it');
  });
  afterEach(async function () {
    if (this.currentTest?.isPassed() !== false) return;
    await shoot(chain.editor, 'failed-editor');
    await shoot(phone, 'failed-phone');
  });
  after(() => chain.dispose());

  const shoot = (page: Page, name: string): Promise<unknown> =>
    page.screenshot({ path: join(screenshots, `${name}.png`), animations: 'disabled' });
  /** As the phone draws it; its name says its size. */
  const screen = (): Locator => phone.getByRole('log', { name: /^Terminal, \d+ columns and \d+ rows$/ });
  const size = async (): Promise<string> => (await screen().getAttribute('aria-label')) ?? '';
  const shows = (text: string | RegExp): Promise<void> => screen().getByText(text).last().waitFor();
  const dock = (name: string): Locator => phone.getByRole('button', { name, exact: true });

  it('is one tap away from the transcript, and back again', async () => {
    await dock('Terminal').click();
    await shows('nothing runs before you allow it');
    await shoot(phone, 'phone-screen-light');
    assert.deepEqual(await layoutFaults(phone), []);
    await dock('Transcript').click();
    await app.reads('Continued in the terminal');
    await dock('Terminal').click();
    await phone.getByRole('button', { name: 'Back' }).click();
    await app.reads('Continued in the terminal');
    await dock('Terminal').click();
    await shows('nothing runs before you allow it');
  });

  it('keeps up with the desk, and changes nothing of the desk’s size, however the phone is held', async () => {
    const before = await size();
    await desk.type('count slowly');
    await shows(/Step 3 of 200/);
    await phone.setViewportSize({ width: 844, height: 390 });
    await shows(/Step 12 of 200/);
    await shoot(phone, 'phone-screen-wide');
    await phone.setViewportSize({ width: 390, height: 844 });
    await shows(/Step 60 of 200/);
    assert.equal(await size(), before);
    await desk.stop();
    await shows('interrupted');
    assert.equal(await size(), before);
  });

  it('shows what was above it to who scrolls up, and follows again who goes to the end', async () => {
    await screen().evaluate(box => {
      box.scrollTop = 0;
    });
    await phone.getByText('Nothing older is kept').waitFor();
    await screen().evaluate(box => {
      box.scrollTop = 0;
    });
    await shows('/exit leaves');
    const top = (): Promise<number> => screen().evaluate(box => box.scrollTop);
    const read = await top();
    await desk.type('count on');
    await phone.getByRole('button', { name: 'Latest' }).waitFor();
    // Several more pictures come meanwhile.
    for (let picture = 0; picture < 5; picture += 1) {
      const drawn = await screen().evaluate(box => box.textContent);
      await phone.waitForFunction(
        before => document.querySelector('[role=log]')?.textContent !== before,
        drawn,
      );
    }
    assert.equal(await top(), read, 'what is read stays where it is');
    await shoot(phone, 'phone-screen-older');
    await phone.getByRole('button', { name: 'Latest' }).click();
    await shows(/Step 12 of 200/);
    await desk.stop();
    assert.equal(await phone.getByRole('button', { name: 'Latest' }).count(), 0);
  });

  it('takes what its owner types, once they say that they want to', async () => {
    assert.equal(await phone.getByRole('textbox', { name: 'Text for the terminal' }).count(), 0);
    await dock('Type here').click();
    await phone.getByRole('textbox', { name: 'Text for the terminal' }).fill('write a note from the phone');
    await shoot(phone, 'phone-screen-typing');
    assert.deepEqual(await layoutFaults(phone), []);
    await dock('Type it and press Enter').click();
    await desk.shows('Allow it?');
    await shows(/Allow it\?/);
    await dock('y').click();
    await dock('Enter').click();
    await shows('has one more line');
    await until('the note is written', () =>
      readNote(chain.workspace).includes('write a note from the phone'),
    );
    await dock('Done').click();
    assert.equal(await phone.getByRole('textbox', { name: 'Text for the terminal' }).count(), 0);
    await dock('Transcript').click();
    await app.reads('write a note from the phone');
    await dock('Terminal').click();
    await dock('Type here').waitFor();
  });

  it('asks before it adds to what somebody has begun to type at the desk', async () => {
    await dock('Type here').click();
    await chain.editor.locator('.terminal-wrapper.active').click();
    await chain.editor.keyboard.type('hello from the desk');
    await shows('› hello from the desk');
    await phone.getByRole('textbox', { name: 'Text for the terminal' }).fill(' and the phone');
    await dock('Type it and press Enter').click();
    await phone.getByText('Somebody at the desk has begun to type.').waitFor();
    await phone.emulateMedia({ colorScheme: 'dark' });
    await shoot(phone, 'phone-screen-desk-typing-dark');
    assert.deepEqual(await layoutFaults(phone), []);
    await dock('Add mine and send both').click();
    await shows('› hello from the desk and the phone');
    await dock('Transcript').click();
    await app.reads('hello from the desk and the phone');
    await dock('Terminal').click();
    await shows('nothing runs before you allow it');
    await shoot(phone, 'phone-screen-dark');
  });

  it('is shown as not live while the editor is away, then goes on, and says so when it was left', async () => {
    const back = chain.openEditor();
    await phone.getByText('This is what it showed last.').waitFor();
    await shoot(phone, 'phone-screen-not-live-dark');
    await back;
    await phone.getByText('This is what it showed last.').waitFor({ state: 'hidden' });
    await shows('nothing runs before you allow it');
    await dock('Type here').click();
    await phone.getByRole('textbox', { name: 'Text for the terminal' }).fill('/exit');
    await dock('Type it and press Enter').click();
    await phone.getByText('The terminal was left.').waitFor();
    await shoot(phone, 'phone-screen-left-dark');
    await dock('Transcript').click();
    await app.reads('Back from the terminal');
  });
});

function readNote(workspace: string): string {
  try {
    return readFileSync(join(workspace, 'demo-notes.md'), 'utf8');
  } catch {
    return '';
  }
}
