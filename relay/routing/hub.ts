import type { Clock } from '../../core/base/clock.ts';
import type { CloseReason } from '../../core/protocol/closeCode.ts';
import type { BridgeId, DeviceId, PairId, SessionId } from '../../core/protocol/ids.ts';
import { toTimestamp } from '../../core/protocol/timestamp.ts';
import { relayLimits } from '../limits/relayLimits.ts';
import type { ResumePermits } from '../resume/resumePermits.ts';
import { BridgeGroup } from './bridgeGroup.ts';
import type { BridgeLink, Link, PairingLink, PhoneLink } from './link.ts';

/** Who is connected. In memory of one process: a bridge and its phones land on the same relay [T16, T17]. */
export class Hub {
  readonly #clock: Clock;
  readonly permits: ResumePermits;
  readonly #groups = new Map<BridgeId, BridgeGroup>();
  readonly #byToken = new Map<string, BridgeLink>();
  #revocations = 0;

  constructor(clock: Clock, permits: ResumePermits) {
    this.#clock = clock;
    this.permits = permits;
  }

  get now(): number {
    return toTimestamp(this.#clock.now());
  }

  group(bridgeId: BridgeId): BridgeGroup | undefined {
    return this.#groups.get(bridgeId);
  }

  /** The live window that holds this HTTP token. @param digest SHA-256 of the token, lower-case hex */
  windowByToken(digest: string): BridgeLink | undefined {
    return this.#byToken.get(digest);
  }

  /** Whether one more window fits; a window that comes back always does. */
  hasRoom(link: Pick<BridgeLink, 'bridgeId' | 'instanceId'>): boolean {
    const instances = this.#groups.get(link.bridgeId)?.instances;
    return (
      instances === undefined || instances.has(link.instanceId) || instances.size < relayLimits.instances
    );
  }

  /** A window comes; an older socket of the same window is ended. @returns the sessions that another window holds */
  joinBridge(link: BridgeLink, sessions: readonly SessionId[]): readonly SessionId[] {
    this.#groups.get(link.bridgeId)?.instances.get(link.instanceId)?.endpoint.end('replaced');
    const group = this.#groupOf(link.bridgeId);
    group.instances.set(link.instanceId, link);
    this.#byToken.set(link.tokenDigest, link);
    const refused = sessions.filter(session => group.sessions.claim(session, link) !== 'claimed');
    group.announce(link, false);
    return refused;
  }

  /** A phone comes and is told what is there; an older socket of the same device is ended. */
  joinPhone(link: PhoneLink): void {
    this.#groups.get(link.bridgeId)?.phones.get(link.deviceId)?.endpoint.end('replaced');
    this.#groupOf(link.bridgeId).addPhone(link);
  }

  joinPairing(link: PairingLink): void {
    this.#groupOf(link.bridgeId).addPairing(link);
  }

  /** Forgets a link and tells who must know. Leaving twice, or after being replaced, is harmless. */
  leave(link: Link): void {
    const group = this.#groups.get(link.bridgeId);
    if (group === undefined) return;
    switch (link.kind) {
      case 'bridge':
        this.#byToken.delete(link.tokenDigest);
        if (group.instances.get(link.instanceId) !== link) return;
        group.instances.delete(link.instanceId);
        group.sessions.releaseAll(link);
        group.announce(link, true);
        break;
      case 'phone':
        if (!group.removePhone(link)) return;
        group.announcePhoneGone(link.deviceId);
        break;
      case 'pairing':
        if (group.pairings.get(link.pairId) === link) group.pairings.delete(link.pairId);
        break;
    }
    if (!group.isEmpty) return;
    group.dispose();
    this.#groups.delete(link.bridgeId);
  }

  /** Grows with every device that lost its access: a hello checked across a change must be checked again. */
  get revocations(): number {
    return this.#revocations;
  }

  /** Ends the socket of a device that lost its access, after the registry knows. */
  revokePhone(bridgeId: BridgeId, deviceId: DeviceId, reason: CloseReason): void {
    this.#revocations += 1;
    this.#groups.get(bridgeId)?.phones.get(deviceId)?.endpoint.end(reason);
  }

  endPairing(bridgeId: BridgeId, pairId: PairId, reason: CloseReason): void {
    this.#groups.get(bridgeId)?.pairings.get(pairId)?.endpoint.end(reason);
  }

  #groupOf(bridgeId: BridgeId): BridgeGroup {
    const known = this.#groups.get(bridgeId);
    if (known !== undefined) return known;
    const group = new BridgeGroup(bridgeId, { clock: this.#clock, permits: this.permits });
    this.#groups.set(bridgeId, group);
    return group;
  }
}
