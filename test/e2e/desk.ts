import type { Locator, Page } from 'playwright-core';
import type { RealChain } from './chain.ts';
import { processesOf } from './processes.ts';

/** Settings under which a test can read terminals: their text in the page, and a tab for each, also for a single one. */
export const terminalSettings = {
  'terminal.integrated.gpuAcceleration': 'off',
  'terminal.integrated.tabs.hideCondition': 'never',
};

const rememberMs = 30_000;

/** The integrated terminals of the editor, as the person who sits there has them. */
export class Desk {
  readonly #chain: RealChain;

  constructor(chain: RealChain) {
    this.#chain = chain;
  }

  get #page(): Page {
    return this.#chain.editor;
  }

  /** Some of the editor's own layers lie over the rows: what is pointed at is the frame around all of them. */
  get #frame(): Locator {
    return this.#page.locator('.terminal-wrapper.active');
  }

  /** The rows of the terminal that is shown. */
  get screen(): Locator {
    return this.#frame.locator('.xterm-rows');
  }

  /** Of terminals that show an agent: an editor fills an empty panel with a shell of its own. */
  get tabs(): Locator {
    return this.#page.locator('.tabs-list .monaco-list-row', { hasText: 'Demo agent' });
  }

  /** How many processes show a kept terminal. */
  get attached(): number {
    return processesOf('keeper', '\0attach\0', this.#chain.state).length;
  }

  async shows(text: string | RegExp): Promise<void> {
    await this.screen.getByText(text).first().waitFor();
  }

  /** Waits until the demo agent has counted to `least` in the turn that runs; @returns how far it is */
  async step(least: number): Promise<number> {
    const handle = await this.#page.waitForFunction(
      wanted => {
        const text = document.querySelector('.terminal-wrapper.active .xterm-rows')?.textContent ?? '';
        const turn = text.split(/›|interrupted/).at(-1) ?? '';
        const steps = [...turn.matchAll(/Step\s(\d+)\sof/g)].map(match => Number(match[1]));
        const last = steps.at(-1) ?? 0;
        return last >= wanted && last;
      },
      least,
      { timeout: 60_000 },
    );
    return Number(await handle.jsonValue());
  }

  /**
   * Waits until the editor would show its terminals again after a reload. In a browser it writes down that the panel is
   * open once in five seconds, and forgets it when the page goes before that.
   */
  async isRemembered(): Promise<void> {
    const stored = async (): Promise<boolean> =>
      this.#page.evaluate(async () => {
        const settled = <T>(request: IDBRequest<T>): Promise<T> =>
          new Promise((resolve, reject) => {
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error ?? new Error('no reason given'));
          });
        const names = (await indexedDB.databases()).map(({ name = '' }) => name);
        for (const name of names.filter(each => each.startsWith('vscode-web-state-db-'))) {
          const database = await settled(indexedDB.open(name));
          const items = database.transaction('ItemTable').objectStore('ItemTable');
          const isHidden: unknown = await settled(items.get('workbench.panel.hidden'));
          database.close();
          if (isHidden === 'false') return true;
        }
        return false;
      });
    const deadline = performance.now() + rememberMs;
    while (!(await stored())) {
      if (performance.now() > deadline) throw new Error('the editor does not remember its panel');
      await this.#page.waitForTimeout(250);
    }
  }

  /** To the oldest row. */
  scrollBack(): Promise<void> {
    return this.#chain.runCommand('Terminal: Scroll to Top');
  }

  async type(text: string): Promise<void> {
    await this.#frame.click();
    await this.#page.keyboard.type(text);
    await this.#page.keyboard.press('Enter');
  }

  /** Ctrl+C. */
  async stop(): Promise<void> {
    await this.#frame.click();
    await this.#page.keyboard.press('Control+C');
  }

  /** Closes the tab, as by its cross. */
  async close(): Promise<void> {
    await this.tabs.first().click();
    await this.#page.keyboard.press('Delete');
  }
}
