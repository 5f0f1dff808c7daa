import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../core/base/clock.ts';
import { parsePairingFragment } from '../../core/crypto/pairingFragment.ts';
import { nodeCrypto } from '../../platform/node/nodeCrypto.ts';
import { nodeLink } from '../../platform/node/nodeLink.ts';
import { systemClock } from '../../platform/node/systemClock.ts';
import { PhoneApp } from '../../phone/state/phoneApp.ts';
import type { Machine } from '../../phone/state/machine.ts';
import type { PairingShelf } from '../../phone/storage/pairingStore.ts';
import { readConfig } from '../../relay/relayConfig.ts';
import { createRelayLog } from '../../relay/relayLog.ts';
import { startRelay, type RunningRelay } from '../../relay/startRelay.ts';
import type { AgentAdapter } from '../../src/adapters/agentAdapter.ts';
import { createDemoAdapter } from '../../src/adapters/demo/demoAdapter.ts';
import { createBridge, type Bridge } from '../../src/bridge/bridge.ts';
import { parseRelayAddress } from '../../src/relayClient/relayAddress.ts';
import { startRelayProxy, type RelayProxy } from './relayProxy.ts';
import { RecordingLogger } from './recordingLogger.ts';
import type { TcpPath } from './tcpPath.ts';
import { untilChange, untilSignal } from './until.ts';

const root = join(import.meta.dirname, '..', '..');

/** A relay, a bridge and a phone in one process, over real sockets; agents are real processes under real keepers. */
export interface Chain {
  readonly bridge: Bridge;
  readonly phone: PhoneApp;
  readonly machine: Machine;
  readonly workspace: string;
  readonly folder: string;
  readonly logger: RecordingLogger;
  readonly relayLog: string[];
  readonly proxy: RelayProxy | undefined;
  stopBridge(): Promise<void>;
  startBridge(): Promise<void>;
  /** The relay ends and starts again at the same address, with what it stored. */
  restartRelay(): Promise<void>;
  /** The extension host goes and comes back; agents and relay stay. */
  restartBridge(): Promise<void>;
  /** Another window of the same editor, on the same folder. */
  secondBridge(): Promise<Bridge>;
  /** Closes the phone's connections in the middle of whatever it does, as a browser that is put to sleep. */
  cutPhone(): void;
  dispose(): Promise<void>;
}

export interface ChainOptions {
  readonly clock?: Clock;
  /** Name of the workspace, also in its path. */
  readonly name?: string;
  readonly machine?: string;
  readonly phoneName?: string;
  /** The phone's storage; without it, the phone keeps nothing. */
  readonly store?: PairingShelf;
  /** Environment of the relay, on top of the test's own. */
  readonly relaySettings?: Readonly<Record<string, string>>;
  readonly relayPort?: number;
  /** Besides the demo agent's; made once, by where the state is kept. */
  readonly adapters?: readonly AgentAdapter[] | ((stateDirectory: string) => readonly AgentAdapter[]);
  /** Whether the desk trusts the workspace; else there is no folder to work in. Asked each time. */
  readonly isTrusted?: () => boolean;
  /** A proxy between everybody and the relay. */
  readonly proxied?: boolean;
  /** The network between everybody and the relay; without a `proxied`. Whoever opened it disposes it, after the chain. */
  readonly path?: TcpPath;
}

/** A chain before a phone is paired. */
export interface Parts extends Omit<Chain, 'machine'> {
  readonly relayUrl: string;
}

/** Every socket that the test's own process opens as a browser would. */
const openSockets = new Set<WebSocket>();
const PlainWebSocket = globalThis.WebSocket;
globalThis.WebSocket = class extends PlainWebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols);
    openSockets.add(this);
    this.addEventListener('close', () => openSockets.delete(this));
  }
};

/** Everything that a chain consists of, before a phone is paired. */
export async function startParts(options: ChainOptions = {}): Promise<Parts> {
  const { clock = systemClock, name = 'work' } = options;
  const folder = mkdtempSync(join(tmpdir(), 'tn-'));
  const workspace = mkdtempSync(join(tmpdir(), `tn-${name}-`));
  const relayLog: string[] = [];
  const proxy = options.proxied === true ? await startRelayProxy() : undefined;
  const path = proxy ?? options.path;
  const publicUrl = path === undefined ? {} : { PUBLIC_URL: path.url };
  const settings = {
    DATA_DIR: join(folder, 'relay'),
    LOG_LEVEL: 'debug',
    ...publicUrl,
    ...options.relaySettings,
  };
  const launchRelay = async (port: string): Promise<RunningRelay> => {
    const config = readConfig({ ...settings, PORT: port }, import.meta.url);
    if (!config.ok) throw new Error(config.sentence);
    const started = await startRelay({
      config: config.config,
      clock,
      port: nodeLink,
      log: createRelayLog('debug', { write: (line: string) => void relayLog.push(line) }),
      version: 'test',
    });
    if (!started.ok) throw new Error(started.code);
    return started.value;
  };
  let relay = await launchRelay(String(options.relayPort ?? 0));
  const relayUrl = relay.url;
  if (path) path.target = relayUrl;
  const address = parseRelayAddress(path?.url ?? relayUrl);
  if (address === undefined) throw new Error('no address');
  const logger = new RecordingLogger();
  const stateDirectory = join(folder, 'state');
  const { adapters = [] } = options;
  const more = typeof adapters === 'function' ? adapters(stateDirectory) : adapters;
  process.env.TERMINULL_DEMO_PACE_MS = '2';
  const makeBridge = (): Promise<Bridge> =>
    createBridge({
      clock,
      logger,
      stateDirectory,
      relay: address,
      adapters: [
        createDemoAdapter(
          { argv: [process.execPath, join(root, 'src/demoAgent/main.ts')], env: {} },
          join(folder, 'demo'),
        ),
        ...more,
      ],
      keeperRuntime: [process.execPath, join(root, 'src/keeper/main.ts')],
      machine: options.machine ?? 'test machine',
      workspace: () => ({ name, cwd: options.isTrusted?.() === false ? undefined : workspace }),
    });
  let bridge = await makeBridge();
  // As an editor that goes away: nothing is told to agents.
  const stopBridge = async (): Promise<void> => {
    bridge.dispose();
    await new Promise(resolve => setImmediate(resolve));
  };
  const phone = new PhoneApp({
    platform: globalThis.crypto,
    crypto: nodeCrypto,
    clock,
    store: options.store,
    phoneName: options.phoneName ?? 'Test phone',
  });
  return {
    get bridge() {
      return bridge;
    },
    stopBridge,
    async startBridge() {
      bridge = await makeBridge();
    },
    async restartBridge() {
      await stopBridge();
      bridge = await makeBridge();
    },
    secondBridge: makeBridge,
    phone,
    workspace,
    folder,
    logger,
    relayLog,
    relayUrl,
    async restartRelay() {
      await relay.stop();
      relay = await launchRelay(new URL(relayUrl).port);
    },
    proxy,
    cutPhone() {
      for (const socket of openSockets) socket.close();
    },
    async dispose() {
      for (const machine of phone.machines.value) machine.dispose();
      // Agents outlive a bridge by design, so a test ends its own.
      const running = bridge.sessions.all.filter(session => session.agentPid !== 0);
      const ended = running.map(session =>
        untilChange('an agent ends', () => session.agentPid === 0, session.onDidChange),
      );
      for (const session of running) session.end();
      await Promise.all(ended);
      bridge.dispose();
      await proxy?.dispose();
      await relay.stop();
      rmSync(folder, { recursive: true, force: true });
      rmSync(workspace, { recursive: true, force: true });
    },
  };
}

/** Waits until the relay has accepted the bridge. */
export async function untilOnline(bridge: Bridge): Promise<void> {
  await untilChange(
    'the bridge is online',
    () => bridge.connection.phase === 'online',
    bridge.onDidChangeConnection,
  );
}

/** Puts a code on the desk and gives the invitation that it encodes. */
export async function invite(bridge: Bridge) {
  await bridge.pairing.start();
  const { state } = bridge.pairing;
  if (state.phase !== 'waiting') throw new Error(`the pairing is ${state.phase}`);
  const invitation = parsePairingFragment(state.link);
  if (!invitation.ok) throw new Error(invitation.code);
  return invitation.value;
}

/** A paired phone: the desk typed what the phone showed. */
export async function startChain(options: ChainOptions = {}): Promise<Chain> {
  const parts = await startParts(options);
  await untilOnline(parts.bridge);
  const { bridge, phone } = parts;
  const paired = phone.pair(await invite(bridge));
  const code = await untilSignal('a code', phone.pairing, state =>
    state.phase === 'code' ? state.code : undefined,
  );
  await untilChange('the desk asks', () => bridge.pairing.state.phase === 'code', bridge.pairing.onDidChange);
  await bridge.pairing.submitCode(code);
  if (!(await paired)) throw new Error('not paired');
  const [machine] = phone.machines.value;
  if (machine === undefined) throw new Error('no machine');
  return {
    ...parts,
    // The one of now: a spread would keep the first.
    get bridge() {
      return parts.bridge;
    },
    machine,
  };
}
