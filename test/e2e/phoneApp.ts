import type { Locator, Page } from 'playwright-core';

/** The phone app, as the person who holds the phone has it. */
export class PhoneApp {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get transcript(): Locator {
    return this.page.getByRole('log');
  }

  async start(prompt: string): Promise<void> {
    await this.page.getByRole('button', { name: 'New session' }).first().click();
    await this.page.getByRole('textbox').last().fill(prompt);
    await this.page.getByRole('button', { name: 'Start' }).click();
  }

  async prompt(text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Message' }).fill(text);
    await this.page.getByRole('button', { name: 'Send' }).click();
  }

  async open(title: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Back' }).click();
    await this.page.getByRole('button', { name: title, exact: true }).click();
  }

  async reads(text: string | RegExp): Promise<void> {
    await this.transcript.getByText(text).last().waitFor();
  }

  /** Waits until the demo agent has counted to `least` in the newest answer; @returns how far it is */
  async step(least: number): Promise<number> {
    const handle = await this.page.waitForFunction(wanted => {
      const said = [...document.querySelectorAll('[role=log] .said')].at(-1)?.textContent ?? '';
      const last = Number([...said.matchAll(/Step (\d+) of/g)].at(-1)?.[1] ?? 0);
      return last >= wanted && last;
    }, least);
    return Number(await handle.jsonValue());
  }

  /** Waits until the newest answer ends with `text`, white space as single spaces. */
  async saysLast(text: string): Promise<void> {
    await this.page.waitForFunction(wanted => {
      const said = [...document.querySelectorAll('[role=log] .said')].at(-1)?.textContent ?? '';
      return said.replaceAll(/\s+/g, ' ').trim().endsWith(wanted);
    }, text);
  }

  /** What was asked and answered, in order: prompts as `› text`, white space as single spaces. */
  async told(): Promise<string[]> {
    const entries = await this.transcript
      .locator('.prompt-text, .said')
      .evaluateAll(all =>
        all.map(each => ({ isPrompt: each.classList.contains('prompt-text'), text: each.textContent })),
      );
    return entries.map(({ isPrompt, text }) =>
      isPrompt ? `› ${text}` : text.replaceAll(/\s+/g, ' ').trim(),
    );
  }
}
