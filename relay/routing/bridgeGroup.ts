import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { AgentId, BridgeId, DeviceId, InstanceId, PairId } from '../../core/protocol/ids.ts';
import { toTimestamp } from '../../core/protocol/timestamp.ts';
import { relayLimits } from '../limits/relayLimits.ts';
import { TokenBucket } from '../limits/tokenBucket.ts';
import { PhoneStatus } from '../resume/phoneStatus.ts';
import type { ResumePermits } from '../resume/resumePermits.ts';
import type { AppLink, BridgeLink, PairingLink, PhoneLink } from './link.ts';
import { SessionMap } from './sessionMap.ts';

/** What all groups share. */
export interface GroupPorts {
  readonly clock: Clock;
  readonly permits: ResumePermits;
}

/** Everyone who is connected for one bridge: its windows, its phones, and phones that pair with it. */
export class BridgeGroup {
  readonly bridgeId: BridgeId;
  readonly instances = new Map<InstanceId, BridgeLink>();
  readonly pairings = new Map<PairId, PairingLink>();
  readonly sessions = new SessionMap<BridgeLink>(relayLimits.sessionsPerInstance);
  readonly #phones = new Map<DeviceId, PhoneLink>();
  readonly #statuses = new Map<PhoneLink, PhoneStatus>();
  readonly #ports: GroupPorts;
  readonly #signatures: TokenBucket;
  #news: Disposable | undefined;

  constructor(bridgeId: BridgeId, ports: GroupPorts) {
    this.bridgeId = bridgeId;
    this.#ports = ports;
    this.#signatures = new TokenBucket(relayLimits.resumeTokens, ports.clock.monotonic());
  }

  get phones(): ReadonlyMap<DeviceId, PhoneLink> {
    return this.#phones;
  }

  get isEmpty(): boolean {
    return this.instances.size + this.#phones.size + this.pairings.size === 0;
  }

  /** A phone comes, and is told what is there. */
  addPhone(link: PhoneLink): void {
    const { clock, permits } = this.#ports;
    const status = new PhoneStatus(link, {
      clock,
      permits,
      resumable: () => this.sessions.newest(limits.resumableSessions),
      maySign: () => this.#signatures.take(relayLimits.resumeTokens, clock.monotonic()),
      send: resumeTokens => this.#sendStatus(link, resumeTokens),
    });
    this.#phones.set(link.deviceId, link);
    this.#statuses.set(link, status);
    status.tell();
  }

  /** @returns whether this very link was the phone's */
  removePhone(link: PhoneLink): boolean {
    this.#statuses.delete(link);
    return this.#phones.get(link.deviceId) === link && this.#phones.delete(link.deviceId);
  }

  /** A phone that pairs learns of its own window only. */
  addPairing(link: PairingLink): void {
    this.pairings.set(link.pairId, link);
    this.#sendStatus(link, {});
  }

  /** Tells everyone who may see `window` that it went, came, or came back. */
  announce(window: BridgeLink, isGone: boolean): void {
    const gone = { type: 'bridge_gone', instance_id: window.instanceId } as const;
    for (const [phone, status] of this.#statuses) {
      if (isGone) phone.endpoint.tell(gone);
      status.tell();
    }
    for (const pairing of this.pairings.values()) {
      if (pairing.instanceId !== window.instanceId) continue;
      if (isGone) pairing.endpoint.tell(gone);
      this.#sendStatus(pairing, {});
    }
  }

  /**
   * A window opened a session after it came: phones get its resume token by one more status, the frame that carries
   * tokens anyway. Sessions that are opened in a row share it.
   */
  announceSession(): void {
    this.#news ??= this.#ports.clock.after(relayLimits.sessionNewsMs, () => {
      this.#news = undefined;
      for (const status of this.#statuses.values()) status.tell();
    });
  }

  /** Tells every window that a phone's channels are dead. */
  announcePhoneGone(deviceId: DeviceId): void {
    for (const window of this.instances.values())
      window.endpoint.tell({ type: 'client_gone', device_id: deviceId });
  }

  /** The last one left. */
  dispose(): void {
    this.#news?.dispose();
  }

  #sendStatus(to: AppLink, resumeTokens: Readonly<Record<string, string>>): void {
    const windows = [...this.instances.values()].filter(
      window => to.kind === 'phone' || window.instanceId === to.instanceId,
    );
    const agents = new Set<AgentId>(windows.flatMap(window => window.agents));
    to.endpoint.tell({
      type: 'relay_status',
      bridge_online: windows.length > 0,
      instances: windows.map(window => window.instanceId),
      agents: [...agents].slice(0, limits.agentsListed),
      resume_tokens: resumeTokens,
      server_time: toTimestamp(this.#ports.clock.now()),
    });
  }
}
