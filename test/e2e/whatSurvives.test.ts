import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { screenshots } from './chain.ts';
import { demoRecord } from './demoRecord.ts';
import { counted, ManyAtWork, names, type Before } from './manyAtWork.ts';
import { extensionHosts, isRunning, keptAgents, processesOf, until } from './processes.ts';

/** Longer than any wait of the product that could hide what an absence does: a silent connection is given up after 45 s. */
const awayMs = 65_000;
/** The agent takes longer for these than a terminal that the editor brings back is waited for before another is made. */
const comebackSteps = 14;

interface Happening {
  readonly what: string;
  /** The integrated terminal keeps the process that shows the agent's; else the editor makes another. */
  readonly keepsTerminal: boolean;
  /** What is found in it above all else. An editor that keeps the process brings back a hundred lines of its own. */
  readonly above: string | RegExp;
  /** @returns what else was sent from the phone meanwhile */
  readonly run: (all: ManyAtWork) => Promise<readonly string[]>;
}

const happenings: readonly Happening[] = [
  {
    what: 'a reload of the window',
    keepsTerminal: true,
    above: '/exit leaves',
    async run({ chain }) {
      await chain.openEditor();
      return [];
    },
  },
  {
    what: 'the end of the extension host by kill -9',
    keepsTerminal: true,
    above: '/exit leaves',
    async run({ chain }) {
      const hosts = extensionHosts(chain.state);
      for (const { pid } of hosts) process.kill(pid, 'SIGKILL');
      await until('another extension host', () =>
        extensionHosts(chain.state).some(host => hosts.every(({ pid }) => pid !== host.pid)),
      );
      return [];
    },
  },
  {
    what: 'the end of the editor’s server by a service manager',
    keepsTerminal: false,
    above: '/exit leaves',
    async run({ chain }) {
      await chain.restartServer('ended');
      await chain.openEditor();
      return [];
    },
  },
  {
    what: 'the end of the editor’s server by kill -9',
    keepsTerminal: false,
    above: '/exit leaves',
    async run({ chain }) {
      await chain.restartServer('killed');
      await chain.openEditor();
      return [];
    },
  },
  {
    what: 'a minute without the browser’s tab',
    keepsTerminal: true,
    above: /asks for permission|Step \d+ of 200/,
    async run(all) {
      await all.chain.closeEditor();
      const until = performance.now() + awayMs;
      await all.phone.page.getByText('Machine not reachable').waitFor();
      const said = await all.say('said meanwhile');
      await delay(until - performance.now());
      await all.waiting(said).getByText('Waits for the machine').waitFor();
      await all.chain.openEditor();
      return [said];
    },
  },
];

describe('what survives, with everything under way at once', function () {
  this.timeout(180_000);
  let all: ManyAtWork;
  before(async () => {
    all = await ManyAtWork.start();
  });
  afterEach(async function () {
    if (this.currentTest?.isPassed() !== false) return;
    await all.chain.editor.screenshot({ path: join(screenshots, 'failed-editor.png') });
    await all.phone.page.screenshot({ path: join(screenshots, 'failed-phone.png') });
  });
  after(() => all.dispose());

  for (const { what, keepsTerminal, above, run } of happenings) {
    describe(`over ${what}`, () => {
      let was: Before;
      before(async () => {
        const begun = await all.begin();
        const said = await run(all);
        was = { ...begun, queued: [...begun.queued, ...said] };
      });

      it(`keeps the agent that the bridge drives in its turn, over ${what} [D1] [F65]`, async () => {
        await all.phone.step((await all.phone.step(1)) + 3);
        assert.deepEqual(keptAgents(all.chain.state), was.agents);
        assert.ok(was.agents.every(isRunning));
      });

      it(`keeps the agent in its own terminal in its turn, over ${what} [D1] [F65]`, async () => {
        await all.desk.step((await all.desk.step(1)) + (keepsTerminal ? comebackSteps : 3));
        assert.ok(was.agents.some(agent => agent.isInTerminal && isRunning(agent)));
      });

      it(`has the terminal in the editor once, with what was on it, over ${what} [D1]`, async () => {
        assert.equal(await all.desk.tabs.count(), 1);
        const [shows, ...more] = all.shows;
        assert.equal(more.length, 0);
        if (keepsTerminal) assert.deepEqual([shows], was.shows);
        else assert.notDeepEqual([shows], was.shows);
        await all.desk.scrollBack();
        await all.desk.shows(above);
      });

      it(`keeps a request open and a prompt waiting, each for one answer, over ${what} [D1] [M69]`, async () => {
        for (const prompt of was.queued) await all.waiting(prompt).getByText('Queued').waitFor();
        const before = all.notes;
        await all.phone.open(names.asking);
        await all.readsMore('has one more line', 1, () => all.button('Allow').click());
        assert.equal(all.notes, `${before}- ${was.note}\n`);
        await all.phone.open(names.onPhone);
        await all.stopAll(was);
      });

      it(`tells the phone everything once and in order, over ${what} [D1] [F65]`, async () => {
        await all.phoneHasAllOf(names.onPhone);
        await all.phone.open(names.inTerminal);
        await all.phoneHasAllOf(names.inTerminal);
      });
    });
  }

  describe('when the keepers themselves are killed', () => {
    let was: Before;
    let notes: string;
    before(async () => {
      was = await all.begin();
      notes = all.notes;
      for (const { pid } of processesOf('spec.json', all.chain.state)) process.kill(pid, 'SIGKILL');
    });

    it('starts the agent that the bridge drives again with its conversation, after it said that it crashed [C43] [D3]', async () => {
      await until('the agents have ended', () => !was.agents.some(isRunning));
      await all.phone.reads('The agent crashed');
      await until('it is started again', () =>
        keptAgents(all.chain.state).some(agent => !agent.isInTerminal && isRunning(agent)),
      );
    });

    it('sends the prompt that waited once it is back, once [M69]', async () => {
      const [prompt = ''] = was.queued;
      await all.waiting(prompt).getByText('Queued').waitFor({ state: 'hidden' });
      await until('it is answered', () =>
        demoRecord(all.chain.state, names.onPhone).at(-1)?.includes('nothing runs before you allow it'),
      );
      await all.phone.page.getByPlaceholder('Message Demo agent').waitFor();
      const told = await all.phone.told();
      const prompts = (lines: readonly string[]): string[] => lines.filter(line => line.startsWith('›'));
      assert.deepEqual(prompts(told), prompts(demoRecord(all.chain.state, names.onPhone)));
      assert.equal(told.filter(line => line === `› ${prompt}`).length, 1);
      const broken = told.at(-3) ?? '';
      assert.ok(broken.startsWith('Step 1 of') && counted.startsWith(broken), 'what was told of it stays');
    });

    it('says in the terminal in the editor that its session is gone [D1]', async () => {
      await all.desk.shows('The session is gone.');
      await all.desk.type('');
      await all.desk.tabs.first().waitFor({ state: 'detached' });
      assert.equal(all.shows.length, 0);
    });

    it('takes the session in its terminal back to the phone, and says that its turn was interrupted [D2]', async () => {
      await all.phone.open(names.inTerminal);
      await all.phone.reads('Back from the terminal');
      await all.phone.reads(/interrupted/i);
      await all.readsMore('nothing runs before you allow it', 1, () => all.phone.prompt('hello from here'));
    });

    it('withdraws the request that was open, and does nothing of it [M69]', async () => {
      await all.phone.open(names.asking);
      await all.phone.reads('The agent crashed');
      assert.equal(await all.button('Allow').count(), 0);
      assert.equal(all.notes, notes);
    });
  });
});
