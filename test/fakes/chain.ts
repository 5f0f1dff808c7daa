import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DisposableStore } from '../../core/base/disposable.ts';
import { parsePairingFragment } from '../../core/crypto/pairingFragment.ts';
import { nodeCrypto } from '../../platform/node/nodeCrypto.ts';
import { nodeLink } from '../../platform/node/nodeLink.ts';
import { systemClock } from '../../platform/node/systemClock.ts';
import { PhoneApp } from '../../phone/state/phoneApp.ts';
import type { Machine } from '../../phone/state/machine.ts';
import { readConfig } from '../../relay/relayConfig.ts';
import { createRelayLog } from '../../relay/relayLog.ts';
import { startRelay } from '../../relay/startRelay.ts';
import { createDemoAdapter } from '../../src/adapters/demo/demoAdapter.ts';
import { createBridge, type Bridge } from '../../src/bridge/bridge.ts';
import { parseRelayAddress } from '../../src/relayClient/relayAddress.ts';
import { RecordingLogger } from './recordingLogger.ts';
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
  readonly relayLog: readonly string[];
  dispose(): Promise<void>;
}

/** Everything that a chain consists of, before a phone is paired. */
export async function startParts(): Promise<Omit<Chain, 'machine'> & { readonly relayUrl: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tn-'));
  const workspace = mkdtempSync(join(tmpdir(), 'tn-ws-'));
  const relayLog: string[] = [];
  const config = readConfig({ PORT: '0', DATA_DIR: join(folder, 'relay'), LOG_LEVEL: 'debug' }, import.meta.url);
  if (!config.ok) throw new Error(config.sentence);
  const relay = await startRelay({
    config: config.config,
    clock: systemClock,
    port: nodeLink,
    log: createRelayLog('debug', { write: (line: string) => void relayLog.push(line) }),
    version: 'test',
  });
  if (!relay.ok) throw new Error(relay.code);
  const address = parseRelayAddress(relay.value.url);
  if (address === undefined) throw new Error('no address');
  const logger = new RecordingLogger();
  process.env.TERMINULL_DEMO_PACE_MS = '2';
  const bridge = await createBridge({
    clock: systemClock,
    logger,
    stateDirectory: join(folder, 'state'),
    relay: address,
    adapters: [createDemoAdapter([process.execPath, join(root, 'src/demoAgent/main.ts')])],
    keeperRuntime: [process.execPath, join(root, 'src/keeper/main.ts')],
    machine: 'test machine',
    workspace: () => ({ name: 'work', cwd: workspace }),
  });
  const phone = new PhoneApp({
    platform: globalThis.crypto,
    crypto: nodeCrypto,
    clock: systemClock,
    store: undefined,
    phoneName: 'Test phone',
  });
  return {
    bridge,
    phone,
    workspace,
    folder,
    logger,
    relayLog,
    relayUrl: relay.value.url,
    async dispose() {
      for (const machine of phone.machines.value) machine.dispose();
      for (const session of bridge.sessions.all) session.end();
      await new Promise(resolve => setTimeout(resolve, 50));
      bridge.dispose();
      await relay.value.stop();
      rmSync(folder, { recursive: true, force: true });
      rmSync(workspace, { recursive: true, force: true });
    },
  };
}

/** Waits until the relay has accepted the bridge. */
export async function untilOnline(bridge: Bridge): Promise<void> {
  await untilChange('the bridge is online', () => bridge.connection.phase === 'online', bridge.onDidChangeConnection);
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
export async function startChain(): Promise<Chain> {
  const disposables = new DisposableStore();
  const parts = await startParts();
  await untilOnline(parts.bridge);
  const { bridge, phone } = parts;
  const paired = phone.pair(await invite(bridge));
  const code = await untilSignal('a code', phone.pairing, state => (state.phase === 'code' ? state.code : undefined));
  await untilChange('the desk asks', () => bridge.pairing.state.phase === 'code', bridge.pairing.onDidChange);
  await bridge.pairing.submitCode(code);
  if (!(await paired)) throw new Error('not paired');
  const [machine] = phone.machines.value;
  if (machine === undefined) throw new Error('no machine');
  disposables.dispose();
  return { ...parts, machine };
}
