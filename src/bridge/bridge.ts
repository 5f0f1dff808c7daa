import { randomBytes } from 'node:crypto';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Emitter, type Event } from '../../core/base/emitter.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import { fail, type Result } from '../../core/base/result.ts';
import type { ConnectionState } from '../../core/channel/connectionState.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import {
  controlSession,
  instanceId,
  sessionId,
  type AgentId,
  type DeviceId,
  type SessionId,
} from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { WindowState } from '../../core/protocol/windowState.ts';
import { chooseCrypto } from '../../platform/node/chooseCrypto.ts';
import { nodeLink } from '../../platform/node/nodeLink.ts';
import { AdapterRegistry } from '../adapters/adapterRegistry.ts';
import type { AgentAdapter } from '../adapters/agentAdapter.ts';
import { RelayApi } from '../relayClient/relayApi.ts';
import type { RelayAddress } from '../relayClient/relayAddress.ts';
import { RelayConnection, type BridgeFrame } from '../relayClient/relayConnection.ts';
import type { Session } from '../session/session.ts';
import type { SessionStore } from '../session/sessionStore.ts';
import { reapOrphans } from '../terminal/reapOrphans.ts';
import { runtimeDirectory } from '../terminal/runtimeDirectory.ts';
import { loadBridgeIdentity } from './bridgeIdentity.ts';
import { createSessions } from './createSessions.ts';
import { DeviceList } from './deviceList.ts';
import { Dispatcher } from './dispatcher.ts';
import type { ExternalSession, ExternalSessions } from './externalSessions.ts';
import { HandshakeDesk } from './handshakeDesk.ts';
import type { PairedDevice } from './pairedDevice.ts';
import { isPairingSession, Pairing } from './pairing.ts';
import { rotateDeviceKey } from './rotateDeviceKey.ts';
import { settleRevocations } from './settleRevocations.ts';

/** An agent that no window has attended for so long is ended by its keeper. */
const unattendedMs = 6 * 3_600_000;
/** How often sessions are looked for that another window let go. */
const restoreMs = 3_000;
const detectTimeoutMs = 10_000;

export interface BridgePorts {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Owner-only folder of this machine's state: keys, devices, journals. */
  readonly stateDirectory: string;
  readonly relay: RelayAddress;
  readonly adapters: readonly AgentAdapter[];
  /** Runtime and bundle of the keeper. */
  readonly keeperRuntime: readonly string[];
  readonly machine: string;
  readonly workspace: () => { readonly name: string; readonly cwd: string | undefined };
}

/** Everything that a window does for its phones, without the editor. */
export interface Bridge extends Disposable {
  readonly sessions: SessionStore;
  /** Conversations of this folder with agents outside of this product. */
  readonly externals: ExternalSessions;
  readonly onDidChangeExternals: Event<void>;
  /** Makes a session of such a conversation. */
  bindExternal(external: ExternalSession): Promise<Result<Session, ErrorCode>>;
  readonly pairing: Pairing;
  readonly installedAgents: readonly {
    readonly id: AgentId;
    readonly name: string;
    readonly version: string;
    /** What a user types to start it. */
    readonly programs: readonly string[];
  }[];
  readonly devices: readonly PairedDevice[];
  readonly connection: ConnectionState;
  readonly onDidChangeConnection: Event<ConnectionState>;
  /** Phones that have a proven channel now. */
  readonly connectedDevices: ReadonlySet<DeviceId>;
  readonly onDidChangeDevices: Event<void>;
  /** Names of the phones that look at a session now, each once. */
  watching(session: SessionId): readonly string[];
  createSession(agent: AgentId): Result<Session, ErrorCode>;
  /** Takes the trust away here first, then at the relay. */
  revoke(device: DeviceId): Promise<void>;
}

/** @throws when keys or device list are damaged, or the runtime directory belongs to somebody else */
export async function createBridge(ports: BridgePorts): Promise<Bridge> {
  const { clock, logger, stateDirectory } = ports;
  const disposables = new DisposableStore();
  const { port: crypto, kind } = await chooseCrypto();
  const identity = await loadBridgeIdentity(stateDirectory, crypto, nodeLink);
  const instance = instanceId.parse(randomBytes(16).toString('hex'));
  const devices = new DeviceList(stateDirectory, clock);
  const registry = new AdapterRegistry(ports.adapters);
  await registry.detect(AbortSignal.timeout(detectTimeoutMs));
  logger.info('bridge.start', {
    bridge: identity.bridgeId,
    instance,
    crypto: kind,
    agents: registry.installed.length,
  });

  const keeper = {
    runtimeDirectory: runtimeDirectory(stateDirectory),
    runtime: ports.keeperRuntime,
    unattendedMs,
  };
  const unit = (): number => randomBytes(4).readUInt32BE() / 2 ** 32;
  const cwd = (): string | undefined => ports.workspace().cwd;
  const { sessions, externals, owners } = createSessions(
    { clock, logger, crypto, stateDirectory, registry, keeper, unit, cwd },
    disposables,
  );

  const windowState = (): WindowState => {
    const { name, cwd } = ports.workspace();
    return {
      machine: ports.machine.slice(0, limits.nameChars),
      workspace: name.slice(0, limits.nameChars),
      cwd: cwd ?? '',
      agents: registry.installed.map(({ adapter, detected }) => ({
        agent_id: adapter.agentId,
        display_name: adapter.displayName,
        version: detected.version,
      })),
      sessions: [...sessions.summaries],
    };
  };

  const connection = disposables.add(
    new RelayConnection(ports.relay, identity.bridgeId, instance, {
      clock,
      logger,
      unit,
      link: nodeLink,
      signer: identity.signer,
      announce: () => ({
        resumable_session_ids: sessions.summaries.map(summary => summary.session_id),
        agents: registry.installed.map(agent => agent.adapter.agentId),
      }),
    }),
  );
  const dispatcher = new Dispatcher({
    clock,
    logger,
    sessions,
    controlSession: controlSession(instance),
    windowState,
    externals,
    rotateKey: (channel, key) => rotateDeviceKey(channel, key, { identity, devices, logger }),
  });
  const devicesChanged = disposables.add(new Emitter<void>());
  const desk = disposables.add(
    new HandshakeDesk({
      crypto,
      clock,
      logger,
      identity,
      instance,
      devices,
      send: frame => connection.send(frame),
      hasSession: id => sessions.find(id) !== undefined,
      control: (channel, text, isFirst) => {
        if (isFirst) devicesChanged.fire();
        dispatcher.receive(channel, text);
      },
    }),
  );
  const pairing = disposables.add(
    new Pairing({
      crypto,
      clock,
      logger,
      identity,
      instance,
      devices,
      machine: ports.machine.slice(0, limits.nameChars),
      address: ports.relay,
      api: new RelayApi(ports.relay.httpUrl, () => connection.accessToken),
      send: frame => connection.send(frame),
    }),
  );
  const api = new RelayApi(ports.relay.httpUrl, () => connection.accessToken);

  const settleOrWarn = (): void =>
    void settleRevocations(devices, api).catch(() =>
      logger.warn('device.unsettled', { devices: devices.unsettled.length }),
    );

  const receive = (frame: BridgeFrame): void => {
    switch (frame.type) {
      case 'session_request':
        if (isPairingSession(frame.session_id)) void pairing.onRequest(frame);
        else void desk.onRequest(frame);
        return;
      case 'session_resume':
        void desk.onRequest(frame);
        return;
      case 'control':
        if (isPairingSession(frame.sessionId)) void pairing.onControl(frame);
        else void desk.onControl(frame);
        return;
      case 'client_gone':
        desk.closeDevice(frame.device_id);
        devicesChanged.fire();
        return;
      case 'error':
        logger.warn('relay.error', { code: frame.code });
        if (frame.session_id !== undefined && isPairingSession(frame.session_id)) pairing.onRefusedAtRelay();
        return;
    }
  };
  disposables.add(connection.onFrame(receive));
  disposables.add(
    connection.onDidChangeState(state => {
      logger.info('relay.state', { phase: state.phase });
      if (state.phase === 'online') {
        settleOrWarn();
        return;
      }
      desk.closeAll();
      devicesChanged.fire();
    }),
  );
  const announced = new Set<string>();
  disposables.add(
    sessions.onDidChange(session => {
      if (announced.has(session.id)) return;
      announced.add(session.id);
      connection.send({ type: 'session_opened', session_id: session.id, instance_id: instance });
    }),
  );
  disposables.add(pairing.onDidChange(() => devicesChanged.fire()));
  const orphans = await reapOrphans(keeper.runtimeDirectory, clock.now());
  if (orphans > 0) logger.warn('agents.orphaned', { ended: orphans });
  await sessions.restore();
  owners.start();
  const restoreLater = (): void => {
    const timer = disposables.add(
      clock.after(restoreMs, () => {
        disposables.delete(timer);
        if (desk.closeUntrusted()) devicesChanged.fire();
        void sessions.restore().finally(() => {
          if (!disposables.isDisposed) restoreLater();
        });
      }),
    );
  };
  restoreLater();
  connection.start();

  const newSessionId = (): SessionId => sessionId.parse(randomBytes(16).toString('hex'));
  return {
    sessions,
    externals,
    onDidChangeExternals: owners.onDidChange,
    bindExternal: ({ agent, nativeId }) => externals.bind(newSessionId(), agent, nativeId),
    pairing,
    get installedAgents() {
      return registry.installed.map(({ adapter, detected }) => ({
        id: adapter.agentId,
        name: adapter.displayName,
        version: detected.version,
        programs: adapter.external === false ? [] : adapter.external.programs,
      }));
    },
    get devices() {
      return devices.all;
    },
    get connection() {
      return connection.state;
    },
    onDidChangeConnection: connection.onDidChangeState,
    get connectedDevices() {
      return new Set(desk.live.map(channel => channel.device.device_id));
    },
    onDidChangeDevices: devicesChanged.event,
    watching: session => {
      const channels = desk.live.filter(({ sessionId }) => sessionId === session);
      return [...new Set(channels.map(({ device }) => device.name))];
    },
    createSession: agent => {
      if (ports.workspace().cwd === undefined) return fail('owner_unavailable');
      return sessions.create(newSessionId(), agent);
    },
    async revoke(device) {
      await devices.remove(device);
      desk.closeDevice(device);
      // "Is paired" would not be true any more.
      if (pairing.state.phase === 'paired') pairing.cancel();
      logger.info('device.revoked', { device });
      devicesChanged.fire();
      await settleRevocations(devices, api);
    },
    dispose: () => disposables.dispose(),
  };
}
