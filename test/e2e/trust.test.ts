import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { screenshots, startRealChain, type RealChain } from './chain.ts';
import { pairByPanel } from './pairByPanel.ts';

describe('a folder that the editor does not trust', function () {
  this.timeout(120_000);
  let chain: RealChain;
  let phone: Page;

  before(async () => {
    chain = await startRealChain({
      'security.workspace.trust.enabled': true,
      'security.workspace.trust.startupPrompt': 'never',
    });
    phone = (await chain.openPhone()).page;
  });
  after(() => chain.dispose());

  const shoot = (page: Page, name: string): Promise<unknown> =>
    page.screenshot({ path: join(screenshots, `${name}.png`), animations: 'disabled' });

  it('says so at the desk and on the phone, and starts nothing there; pairing works', async () => {
    await chain.runCommand('Terminull: Pair Phone');
    await pairByPanel(chain, phone);
    await phone.getByRole('button', { name: 'New session' }).click();
    await phone.getByText('no folder that an agent may work in').waitFor();
    await shoot(phone, 'phone-untrusted');
    await chain.editor.getByRole('tab', { name: 'Terminull' }).first().click();
    await chain.editor.getByText('Trust this folder to start one').waitFor();
    await shoot(chain.editor, 'editor-untrusted');
    assert.equal(existsSync(join(chain.state, 'sessions')), false);
  });

  it('works at once when the folder is trusted, without a reload', async () => {
    await chain.editor.getByRole('button', { name: 'Manage Workspace Trust' }).first().click();
    await chain.editor.getByRole('button', { name: 'Trust', exact: true }).click();
    await phone.getByRole('textbox', { name: 'What should it do?' }).fill('hello');
    await phone.getByRole('button', { name: 'Start' }).click();
    await phone.getByRole('log').getByText('hello').first().waitFor();
    await chain.editor.getByRole('treeitem', { name: 'hello, Demo agent, ready' }).waitFor();
    await shoot(chain.editor, 'editor-trusted');
  });
});
