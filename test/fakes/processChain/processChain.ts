import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { parsePairingFragment } from '../../../core/crypto/pairingFragment.ts';
import type { AgentId, InstanceId } from '../../../core/protocol/ids.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import { processStart } from '../../../platform/node/files/processStart.ts';
import { systemClock } from '../../../platform/node/systemClock.ts';
import type { Machine } from '../../../phone/state/machine.ts';
import { PhoneApp } from '../../../phone/state/phoneApp.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { keeperTrace, type KeeperTrace } from '../../../src/keeper/keeperMessage.ts';
import { untilSignal } from '../until.ts';
import type { BridgeSetup } from './bridgeOrder.ts';
import { BridgeProcess } from './bridgeProcess.ts';
import { RelayProcess } from './relayProcess.ts';

export type Victim = 'bridge' | 'keeper' | 'relay' | 'agent';

const stepMs = 20;
const deadlineMs = 30_000;

/** Relay, bridge, keepers and agents, each a process that can be killed; the phone is the test's own. */
export class ProcessChain {
  readonly machine: Machine;
  readonly workspace: string;
  readonly folder: string;
  readonly #setup: BridgeSetup;
  #relay: RelayProcess;
  #bridge: BridgeProcess;
  /** The window that was killed last: it may look alive to the phone for a moment. */
  #gone: InstanceId | undefined;
  #instance: InstanceId | undefined;

  private constructor(setup: BridgeSetup, relay: RelayProcess, bridge: BridgeProcess, machine: Machine) {
    this.folder = setup.folder;
    this.workspace = setup.workspace;
    this.#setup = setup;
    this.#relay = relay;
    this.#bridge = bridge;
    this.machine = machine;
  }

  static async start(
    claude?: BridgeSetup['claude'],
    workspace = mkdtempSync(join(tmpdir(), 'tn-work-')),
    program?: string,
  ): Promise<ProcessChain> {
    const folder = mkdtempSync(join(tmpdir(), 'tn-'));
    const relay = await RelayProcess.start(join(folder, 'relay'), '0');
    const setup: BridgeSetup = { folder, workspace, relayUrl: relay.url, claude, program };
    const bridge = new BridgeProcess(setup);
    await bridge.online();
    const phone = new PhoneApp({
      platform: globalThis.crypto,
      crypto: nodeCrypto,
      clock: systemClock,
      store: undefined,
      phoneName: 'Test phone',
    });
    const invitation = parsePairingFragment(await bridge.invite());
    if (!invitation.ok) throw new Error(invitation.code);
    const paired = phone.pair(invitation.value);
    const code = await untilSignal('a code', phone.pairing, state =>
      state.phase === 'code' ? state.code : undefined,
    );
    await bridge.submitCode(code);
    const [machine] = (await paired) ? phone.machines.value : [];
    if (machine === undefined) throw new Error('not paired');
    return new ProcessChain(setup, relay, bridge, machine);
  }

  get relayPid(): number {
    return this.#relay.pid;
  }

  get bridgePid(): number {
    return this.#bridge.pid;
  }

  /** A session that the desk has begun, with its agent in its terminal. */
  async openTerminal(agent: AgentId): Promise<PhoneSession> {
    const id = await this.#bridge.openTerminal(agent);
    const window = await untilSignal('it is listed', this.machine.windows, windows =>
      windows.find(({ state }) => state?.sessions.some(({ session_id }) => session_id === id) === true),
    );
    return this.machine.session(id, window.instance);
  }

  /** The phone begins a conversation. */
  async begin(agent: AgentId, prompt: string): Promise<PhoneSession> {
    const instance = await this.#window();
    return this.machine.startSession(instance, agent, prompt);
  }

  /** `kill -9`; what an editor, an operator or nobody starts again is started again. */
  async kill(victim: Victim): Promise<void> {
    switch (victim) {
      case 'bridge':
        this.#gone = this.#instance;
        await this.#bridge.kill();
        this.#bridge = new BridgeProcess(this.#setup);
        await this.#bridge.online();
        return;
      case 'relay':
        await this.#relay.kill();
        this.#relay = await RelayProcess.start(join(this.folder, 'relay'), new URL(this.#relay.url).port);
        return;
      case 'keeper':
        await this.#killOne(({ keeperPid }) => keeperPid);
        return;
      case 'agent':
        await this.#killOne(({ agentPid }) => agentPid);
    }
  }

  /** The phone looks at the session again, in whichever window has it. */
  async follow(session: PhoneSession): Promise<PhoneSession> {
    const instance = await this.#window(session);
    return this.machine.session(session.id, instance);
  }

  /** The machine's record, as its bridge has it. */
  async record(session: PhoneSession) {
    return (await this.#bridge.read(session.id)).entries;
  }

  /** Keepers and agents that run. */
  running(): readonly KeeperTrace[] {
    const run = join(this.folder, 'state', 'run');
    if (!existsSync(run)) return [];
    return readdirSync(run).flatMap(id => {
      const path = join(run, id, 'trace.json');
      const trace = keeperTrace.safeParse(
        existsSync(path) ? jsonValue(readFileSync(path, 'utf8')) : undefined,
      );
      if (!trace.success) return [];
      const { agentPid, agentStart, keeperPid, keeperStart } = trace.data;
      const lives = processStart(agentPid) === agentStart || processStart(keeperPid) === keeperStart;
      return lives ? [trace.data] : [];
    });
  }

  /** Waits until no keeper and no agent is left. */
  async untilNothingRuns(): Promise<void> {
    await until('nothing runs', () => this.running().length === 0);
  }

  async dispose(): Promise<void> {
    this.machine.dispose();
    await this.#bridge.kill();
    await this.#relay.kill();
    for (const { agentPid, agentStart, keeperPid, keeperStart } of this.running()) {
      if (processStart(agentPid) === agentStart) process.kill(-agentPid, 'SIGKILL');
      if (processStart(keeperPid) === keeperStart) process.kill(keeperPid, 'SIGKILL');
    }
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(this.workspace, { recursive: true, force: true });
  }

  async #window(session?: PhoneSession): Promise<InstanceId> {
    const { instance } = await untilSignal(
      'a window',
      this.machine.windows,
      windows =>
        windows.find(
          ({ channel, instance: candidate, state }) =>
            candidate !== this.#gone &&
            channel.phase === 'open' &&
            !channel.stale &&
            state !== undefined &&
            (session === undefined || state.sessions.some(({ session_id }) => session_id === session.id)),
        ),
      deadlineMs,
    );
    this.#instance = instance;
    return instance;
  }

  async #killOne(pidOf: (trace: KeeperTrace) => number): Promise<void> {
    await until('an agent runs', () => this.running().length > 0);
    for (const trace of this.running()) {
      const pid = pidOf(trace);
      const start = processStart(pid);
      process.kill(pid, 'SIGKILL');
      await until('it is gone', () => processStart(pid) !== start);
    }
  }
}

/** Waits for something that nobody announces. */
async function until(what: string, check: () => boolean): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!check()) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await delay(stepMs);
  }
}
