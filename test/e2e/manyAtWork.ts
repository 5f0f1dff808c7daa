import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { startRealChain, type RealChain } from './chain.ts';
import { demoRecord } from './demoRecord.ts';
import { Desk, terminalSettings } from './desk.ts';
import { pairByPanel } from './pairByPanel.ts';
import { PhoneApp } from './phoneApp.ts';
import { keptAgents, processesOf, until, type KeptAgent, type OneProcess } from './processes.ts';

/** Quicker than a person reads; a turn of 200 steps, of 40 paces each, outlasts all that happens to it. */
const paceMs = 20;
/** What each session begins with, and is called. */
export const names = { inTerminal: 'hello', onPhone: 'hello there', asking: 'hello again' } as const;

/** All that the demo agent counts, white space as single spaces. */
export const counted = Array.from({ length: 200 }, (_, index) => `Step ${String(index + 1)} of 200.`).join(
  ' ',
);

/** What was there before something happened. */
export interface Before {
  readonly agents: readonly KeptAgent[];
  readonly shows: readonly OneProcess[];
  readonly note: string;
  /** Prompts that wait. */
  readonly queued: readonly string[];
}

/**
 * All that can be under way at once: an agent in its own terminal, one that the bridge drives, both in the middle of a turn, a
 * prompt that waits, a request that nobody has answered, and a phone that reads along.
 */
export class ManyAtWork {
  readonly chain: RealChain;
  readonly desk: Desk;
  readonly phone: PhoneApp;
  #round = 0;

  private constructor(chain: RealChain, phone: PhoneApp) {
    this.chain = chain;
    this.desk = new Desk(chain);
    this.phone = phone;
  }

  static async start(): Promise<ManyAtWork> {
    const chain = await startRealChain(terminalSettings, { TERMINULL_DEMO_PACE_MS: String(paceMs) });
    const all = new ManyAtWork(chain, new PhoneApp((await chain.openPhone()).page));
    const { phone, desk } = all;
    await chain.runCommand('Terminull: Pair Phone');
    await pairByPanel(chain, phone.page);
    await phone.start(names.inTerminal);
    await all.isReady();
    await chain.runCommand('Terminull: Continue in Terminal');
    await desk.shows('nothing runs before you allow it');
    await desk.isRemembered();
    for (const name of [names.asking, names.onPhone]) {
      await phone.page.getByRole('button', { name: 'Back' }).click();
      await phone.start(name);
      await all.isReady();
    }
    return all;
  }

  async isReady(): Promise<void> {
    await this.phone.reads('nothing runs before you allow it');
    await this.phone.page.getByPlaceholder('Message Demo agent').waitFor();
  }

  /** Lets everything begin. The phone stays with the session that the bridge drives. */
  async begin(): Promise<Before> {
    const { phone, desk, chain } = this;
    this.#round += 1;
    const note = `write note ${String(this.#round)}`;
    await phone.open(names.asking);
    await phone.prompt(note);
    await this.button('Allow').waitFor();
    await desk.type('count slowly');
    await desk.step(2);
    await phone.open(names.onPhone);
    await phone.prompt('count slowly');
    await phone.step(3);
    const queued = await this.say('that waits');
    await this.waiting(queued).getByText('Queued').waitFor();
    const agents = keptAgents(chain.state);
    assert.equal(agents.length, 3);
    return { agents, shows: this.shows, note, queued: [queued] };
  }

  /** Another prompt for the session that the phone shows; @returns its text */
  async say(words: string): Promise<string> {
    const prompt = `hello, number ${String(this.#round)} ${words}`;
    await this.phone.prompt(prompt);
    return prompt;
  }

  /** The processes that show a kept terminal. */
  get shows(): OneProcess[] {
    return processesOf('keeper', '\0attach\0', this.chain.state);
  }

  button(name: string, within: Locator = this.phone.page.locator('body')): Locator {
    return within.getByRole('button', { name, exact: true });
  }

  waiting(text: string): Locator {
    return this.phone.page.getByRole('article', { name: 'Prompt' }).filter({ hasText: text });
  }

  /** The file that the asking agent writes to. */
  get notes(): string {
    try {
      return readFileSync(join(this.chain.workspace, 'demo-notes.md'), 'utf8');
    } catch {
      return '';
    }
  }

  /** Does something, and waits until the phone reads a text so often more than before, and nothing runs. */
  async readsMore(text: string, times: number, act: () => Promise<void>): Promise<void> {
    const found = this.phone.transcript.getByText(text);
    const before = await found.count();
    await act();
    await found.nth(before + times - 1).waitFor();
    await this.phone.page.getByPlaceholder('Message Demo agent').waitFor();
  }

  /** Stops the turns that run. What waits is held then, goes when the first is sent on, and is answered. */
  async stopAll({ queued }: Before): Promise<void> {
    await this.button('Stop').click();
    for (const prompt of queued) await this.waiting(prompt).getByText('Held back').waitFor();
    await this.readsMore('nothing runs before you allow it', queued.length, () =>
      this.button('Send now', this.waiting(queued[0] ?? '')).click(),
    );
    await this.desk.stop();
    await until('the turn at the desk ends', () =>
      demoRecord(this.chain.state, names.inTerminal).at(-1)?.startsWith('Step'),
    );
  }

  /** The phone holds every prompt and every word of a conversation once, and in order, as the agent's own record has them. */
  async phoneHasAllOf(conversation: string): Promise<void> {
    const isPlain = (line: string): boolean => /^(›|Step)/.test(line);
    const all = demoRecord(this.chain.state, conversation);
    const last = all.at(-1) ?? '';
    if (isPlain(last)) await this.phone.saysLast(last);
    const said = all.filter(isPlain);
    assert.deepEqual((await this.phone.told()).filter(isPlain), said);
    for (const line of said) if (line.startsWith('Step')) assert.ok(counted.startsWith(line), line);
  }

  async dispose(): Promise<void> {
    await this.chain.dispose();
  }
}
