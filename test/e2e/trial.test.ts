import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodePairingFragment } from '../../core/crypto/pairingFragment.ts';
import { openBrowser } from '../../scripts/editorHost/host.mjs';
import { invite, startParts, untilOnline } from '../fakes/chain.ts';
import { screenshots } from './chain.ts';

const name = 'terminull.test';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  assert.ok(typeof address === 'object' && address !== null);
  return address.port;
}

describe('a trial over plain HTTP, as a phone in the local network has it', function () {
  this.timeout(90_000);

  it('pairs and steers without the browser’s cryptography, says what it is, and keeps nothing', async () => {
    const port = await freePort();
    const origin = `http://${name}:${String(port)}`;
    const phoneDir = join(import.meta.dirname, '../../dist/phone');
    const parts = await startParts({
      relayPort: port,
      relaySettings: { PUBLIC_URL: origin, PHONE_DIR: phoneDir },
    });
    const profile = mkdtempSync(join(tmpdir(), 'te-'));
    const phone = await openBrowser(profile, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      // Any name but this machine's own makes a page insecure, as the address of a network does.
      args: [`--host-resolver-rules=MAP ${name} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`],
    });
    try {
      await untilOnline(parts.bridge);
      const invitation = await invite(parts.bridge);
      const fragment = encodePairingFragment({
        ...invitation,
        relay: `ws://${name}:${String(port)}/v1/socket`,
      });
      const page = phone.pages()[0] ?? (await phone.newPage());
      await page.goto(`${origin}/#${fragment}`);
      assert.equal(await page.evaluate(() => isSecureContext), false);
      await page.getByText('anyone on this network could have altered this app').waitFor();
      await page.getByRole('button', { name: 'Pair this phone' }).click();
      const code = await page.getByTestId('pairing-code').innerText();
      await parts.bridge.pairing.submitCode(code);
      await page.getByRole('button', { name: 'New session' }).click();
      await page.getByRole('textbox').last().fill('write a note from a trial');
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByRole('button', { name: /^Allow/ }).click();
      await page.getByRole('log').getByText('has one more line').waitFor();
      await page.screenshot({ path: join(screenshots, 'phone-trial.png') });
      await page.reload();
      await page.getByText('does not know the machine of this session any more').waitFor();
      assert.equal(
        await page.getByRole('button', { name: 'New session' }).count(),
        0,
        'the pairing ended with the page',
      );
    } finally {
      await phone.close();
      await parts.dispose();
      rmSync(profile, { recursive: true, force: true });
    }
  });
});
