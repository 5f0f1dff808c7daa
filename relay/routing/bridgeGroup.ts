import { limits } from '../../core/protocol/limits.ts';
import type { AgentId, BridgeId, DeviceId, InstanceId, PairId } from '../../core/protocol/ids.ts';
import { relayLimits } from '../limits/relayLimits.ts';
import { encodeFrame } from './encodeFrame.ts';
import type { AppLink, BridgeLink, PairingLink, PhoneLink } from './link.ts';
import { SessionMap } from './sessionMap.ts';

/** Everyone who is connected for one bridge: its windows, its phones, and phones that pair with it. */
export class BridgeGroup {
  readonly bridgeId: BridgeId;
  readonly instances = new Map<InstanceId, BridgeLink>();
  readonly phones = new Map<DeviceId, PhoneLink>();
  readonly pairings = new Map<PairId, PairingLink>();
  readonly sessions = new SessionMap<BridgeLink>(relayLimits.sessionsPerInstance);

  constructor(bridgeId: BridgeId) {
    this.bridgeId = bridgeId;
  }

  get isEmpty(): boolean {
    return this.instances.size + this.phones.size + this.pairings.size === 0;
  }

  /** Tells one phone what is there; one that pairs learns of its own window only. @param timeSeconds the relay's clock */
  sendStatus(to: AppLink, timeSeconds: number): void {
    const windows = [...this.instances.values()].filter(
      window => to.kind === 'phone' || window.instanceId === to.instanceId,
    );
    const agents = new Set<AgentId>(windows.flatMap(window => window.agents));
    to.endpoint.send(
      encodeFrame({
        type: 'relay_status',
        bridge_online: windows.length > 0,
        instances: windows.map(window => window.instanceId),
        agents: [...agents].slice(0, limits.agentsListed),
        resume_tokens: {},
        server_time: timeSeconds,
      }),
    );
  }

  /** Tells everyone who may see `window` that it went, came, or came back. */
  announce(window: BridgeLink, isGone: boolean, timeSeconds: number): void {
    for (const app of [...this.phones.values(), ...this.pairings.values()]) {
      if (app.kind === 'pairing' && app.instanceId !== window.instanceId) continue;
      if (isGone) app.endpoint.send(encodeFrame({ type: 'bridge_gone', instance_id: window.instanceId }));
      this.sendStatus(app, timeSeconds);
    }
  }

  /** Tells every window that a phone's channels are dead. */
  announcePhoneGone(deviceId: DeviceId): void {
    const text = encodeFrame({ type: 'client_gone', device_id: deviceId });
    for (const window of this.instances.values()) window.endpoint.send(text);
  }
}
