import assert from 'node:assert/strict';
import { join } from 'node:path';
import { screenshots, startRealChain, type RealChain } from './chain.ts';
import { demoRecord } from './demoRecord.ts';
import { Desk, terminalSettings } from './desk.ts';
import { pairByPanel } from './pairByPanel.ts';
import { PhoneApp } from './phoneApp.ts';
import { extensionHosts, isRunning, keptAgents, until, type KeptAgent } from './processes.ts';

const inTerminal = 'hello';
const onPhone = 'hello there';
/** Quicker than a person reads, so that a turn outlasts a restart and not the test. */
const paceMs = 15;
/** The agent takes longer for these than a terminal that the editor brings back is waited for before another is made. */
const comebackSteps = 18;

describe('an agent lives on when the editor does not, in its terminal and on the phone', function () {
  this.timeout(120_000);
  let chain: RealChain;
  let desk: Desk;
  let phone: PhoneApp;
  let kept: KeptAgent;

  before(async () => {
    chain = await startRealChain(terminalSettings, { TERMINULL_DEMO_PACE_MS: String(paceMs) });
    desk = new Desk(chain);
    phone = new PhoneApp((await chain.openPhone()).page);
    await chain.runCommand('Terminull: Pair Phone');
    await pairByPanel(chain, phone.page);
    await phone.start(inTerminal);
    await phone.reads('nothing runs before you allow it');
    await phone.page.getByPlaceholder('Message Demo agent').waitFor();
    await chain.runCommand('Terminull: Continue in Terminal');
    await desk.shows('nothing runs before you allow it');
    await desk.isRemembered();
    kept = await until('an agent in a terminal', () =>
      keptAgents(chain.state).find(agent => agent.isInTerminal),
    );
  });
  afterEach(async function () {
    if (this.currentTest?.isPassed() !== false) return;
    await chain.editor.screenshot({ path: join(screenshots, 'failed-editor.png') });
    await phone.page.screenshot({ path: join(screenshots, 'failed-phone.png') });
  });
  after(() => chain.dispose());

  async function countAtTheDesk(): Promise<void> {
    await desk.type('count slowly');
    await desk.step(2);
  }

  /** It is the same process, in one terminal of which nothing was lost; then stops it there. */
  async function goesOnInItsTerminal(steps = comebackSteps): Promise<void> {
    await desk.step((await desk.step(1)) + steps);
    assert.ok(isRunning(kept), 'the agent ended');
    assert.equal(await desk.tabs.count(), 1);
    assert.equal(desk.attached, 1);
    await desk.stop();
    await desk.shows('interrupted');
  }

  /** The phone holds every prompt and every word once, and in order. */
  async function phoneHasAllOf(conversation: string): Promise<void> {
    const isCounted = (line: string): boolean => /^(›|Step)/.test(line);
    const said = demoRecord(chain.state, conversation).filter(isCounted);
    await phone.saysLast(said.at(-1) ?? '');
    assert.deepEqual((await phone.told()).filter(isCounted), said);
    const whole = Array.from({ length: 200 }, (_, index) => `Step ${String(index + 1)} of 200.`).join(' ');
    for (const line of said) if (line.startsWith('Step')) assert.ok(whole.startsWith(line), line);
  }

  it('keeps agent and terminal over a reload of the window in the middle of a turn [D1]', async () => {
    await countAtTheDesk();
    await chain.openEditor();
    await goesOnInItsTerminal();
    await phoneHasAllOf(inTerminal);
  });

  it('loses nothing when the extension host is killed: neither in the terminal nor for the phone [D1]', async () => {
    await phone.page.getByRole('button', { name: 'Back' }).click();
    await phone.start(onPhone);
    await phone.reads('nothing runs before you allow it');
    await phone.page.getByPlaceholder('Message Demo agent').waitFor();
    await countAtTheDesk();
    await phone.prompt('count slowly');
    await phone.reads('Step 3 of 200');
    const agents = keptAgents(chain.state);
    assert.equal(agents.length, 2);
    const hosts = extensionHosts(chain.state);
    for (const { pid } of hosts) process.kill(pid, 'SIGKILL');
    await until('another extension host', () =>
      extensionHosts(chain.state).some(host => hosts.every(({ pid }) => pid !== host.pid)),
    );
    await phone.reads('Step 14 of 200');
    assert.deepEqual(keptAgents(chain.state), agents);
    assert.ok(agents.every(isRunning));
    await phone.page.getByRole('button', { name: 'Stop' }).click();
    await phone.reads(/interrupted/i);
    await phoneHasAllOf(onPhone);
    await goesOnInItsTerminal();
    await phone.open(inTerminal);
    await phoneHasAllOf(inTerminal);
  });

  for (const how of ['ended', 'killed'] as const)
    it(`shows the terminal again after the editor’s server was ${how} in the middle of a turn [D1]`, async () => {
      await countAtTheDesk();
      await chain.restartServer(how);
      assert.ok(isRunning(kept), 'the agent ended');
      await chain.openEditor();
      await goesOnInItsTerminal(3);
      await phoneHasAllOf(inTerminal);
    });
});
