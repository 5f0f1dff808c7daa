import { base64 } from '@scure/base';
import type { Clock } from '../../core/base/clock.ts';
import { equalBytes } from '../../core/crypto/byteLayout.ts';
import type { StoredDeviceKey } from '../../platform/web/deviceKey.ts';
import type { Request } from '../net/channelClientOptions.ts';
import type { Answer } from '../net/pendingRequests.ts';
import type { KeptPairing } from '../storage/keptPairing.ts';
import type { PairingRecord } from '../storage/pairingRecord.ts';
import type { DeviceKeyRing } from './deviceKeyRing.ts';

/** A key that is older is replaced at the next connection. */
export const keyLifeMs = 30 * 24 * 3_600_000;

export interface KeyRenewalPorts {
  readonly clock: Clock;
  readonly kept: KeptPairing;
  readonly ring: DeviceKeyRing;
  /** Draws a key that survives storage. */
  readonly drawKey: (record: PairingRecord) => Promise<StoredDeviceKey>;
}

/**
 * Replaces this phone's key for one machine when it has grown old. Its user sees nothing of it.
 *
 * The next key is stored before it is named, and stays stored until the machine is known to have it. Wherever this phone
 * ends in between, it holds whichever key the machine knows: it comes with the present one, and with the next one when that
 * is refused.
 */
export class KeyRenewal {
  readonly #ports: KeyRenewalPorts;
  #isTried = false;

  constructor(ports: KeyRenewalPorts) {
    this.#ports = ports;
  }

  /** The connection is over: the next one may try again. */
  reset(): void {
    this.#isTried = false;
  }

  /**
   * To be called whenever a channel to the machine is open; does something once a connection at most.
   *
   * @param ask over that channel
   */
  async renew(ask: (request: Request) => Promise<Answer>): Promise<void> {
    if (this.#isTried) return;
    this.#isTried = true;
    try {
      await this.#renewIfOld(ask);
    } catch {
      // The browser cannot store now. Nothing was named that is not stored, so the next connection tries again.
    }
  }

  async #renewIfOld(ask: (request: Request) => Promise<Answer>): Promise<void> {
    const { clock, kept, ring } = this.#ports;
    const now = clock.now();
    if (!isDated(kept.record, now))
      await kept.change(record => (isDated(record, now) ? record : { ...record, keySince: now }));
    if (!isDue(kept.record, now)) return;
    const next = await this.#nextKey(now);
    if (next === undefined) return;
    const answered = await ask({ type: 'rotate_key', new_s_d: base64.encode(next.publicKey) });
    if (!answered.ok) return;
    if (answered.value.type === 'rotate_key') await ring.become(next);
    // The machine will never take this one, so it does not have it either.
    else if (answered.value.type === 'error' && answered.value.code === 'invalid_request')
      await kept.change(record => (isNext(record, next) ? { ...record, nextKey: undefined } : record));
  }

  /** @returns the next key, stored by now; undefined when none is due, for another tab was first or the machine is forgotten */
  async #nextKey(now: number): Promise<StoredDeviceKey | undefined> {
    const { kept, drawKey } = this.#ports;
    const before = await kept.refresh();
    if (before === undefined || !isDue(before, now)) return undefined;
    if (before.nextKey !== undefined) return before.nextKey;
    const drawn = await drawKey(before);
    const stored = await kept.change(record =>
      record.nextKey === undefined ? { ...record, nextKey: drawn } : record,
    );
    return stored?.nextKey;
  }
}

/** Also when an earlier renewal has not come to its end. */
function isDue({ nextKey, keySince }: PairingRecord, now: number): boolean {
  return nextKey !== undefined || now - (keySince ?? now) >= keyLifeMs;
}

/** A date after now is of a clock that was wrong. */
function isDated({ keySince }: PairingRecord, now: number): boolean {
  return keySince !== undefined && keySince <= now;
}

function isNext({ nextKey }: PairingRecord, key: StoredDeviceKey): boolean {
  return nextKey !== undefined && equalBytes(nextKey.publicKey, key.publicKey);
}
