import type { Page } from 'playwright-core';
import type { RealChain } from './chain.ts';

/** Pairs a phone by the panel, which must show a code already. */
export async function pairByPanel(chain: RealChain, phone: Page): Promise<void> {
  await chain.panel().getByRole('img', { name: 'Pairing code to scan' }).waitFor();
  await phone.goto(await chain.panel().getByRole('textbox', { name: 'Pairing link' }).inputValue());
  await phone.getByRole('button', { name: 'Pair this phone' }).click();
  const shown = await phone.getByTestId('pairing-code').innerText();
  await chain.panel().getByRole('textbox', { name: 'Six digits from the phone' }).fill(shown);
  await chain.panel().getByRole('button', { name: 'Pair', exact: true }).click();
  await chain.panel().getByText('is paired').waitFor();
}
