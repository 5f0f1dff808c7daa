import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Clock } from '../../core/base/clock.ts';
import type { CryptoPort } from '../../core/crypto/cryptoPort.ts';
import type { PairingInvitation } from '../../core/crypto/pairingFragment.ts';
import type { BridgeId } from '../../core/protocol/ids.ts';
import { pairPhone, type PairFailure } from '../net/pairPhone.ts';
import { createDeviceKeys, createNextKey } from '../storage/deviceKeys.ts';
import { KeptPairing } from '../storage/keptPairing.ts';
import type { PairingRecord } from '../storage/pairingRecord.ts';
import type { PairingShelf } from '../storage/pairingStore.ts';
import { DeviceKeyRing } from './deviceKeyRing.ts';
import { KeyRenewal } from './keyRenewal.ts';
import { Machine } from './machine.ts';

/** How far a pairing has come. */
export type PairingProgress =
  | { readonly phase: 'ready' }
  | { readonly phase: 'connecting' }
  /** The desk is to type this. */
  | { readonly phase: 'code'; readonly code: string }
  | { readonly phase: 'failed'; readonly reason: PairFailure };

export interface PhoneAppPorts {
  readonly platform: Crypto;
  readonly crypto: CryptoPort;
  readonly clock: Clock;
  /** Undefined where the browser refuses storage. */
  readonly store: PairingShelf | undefined;
  readonly phoneName: string;
}

/** Everything that this phone knows: its machines, and the pairing under way. */
export class PhoneApp {
  readonly #ports: PhoneAppPorts;
  readonly #machines = signal<ReadonlyMap<BridgeId, Machine>>(new Map());
  readonly #pairing = signal<PairingProgress>({ phase: 'ready' });
  #attempt: AbortController | undefined;

  readonly machines = computed(() => [...this.#machines.value.values()]);
  readonly pairing: ReadonlySignal<PairingProgress> = this.#pairing;

  constructor(ports: PhoneAppPorts) {
    this.#ports = ports;
  }

  /** The browser keeps nothing: pairings live as long as the page. */
  get isForgetful(): boolean {
    return this.#ports.store === undefined;
  }

  /** Connects to every machine that this phone is paired with. */
  async load(): Promise<void> {
    for (const record of (await this.#ports.store?.all()) ?? []) this.#open(record);
  }

  /**
   * Pairs with the machine of a scanned code. A pairing with the same machine is replaced.
   *
   * @param phoneName what the desk calls this phone, 1 to 80 characters
   */
  async pair(invitation: PairingInvitation, phoneName = this.#ports.phoneName): Promise<boolean> {
    this.cancelPairing();
    const attempt = new AbortController();
    this.#attempt = attempt;
    this.#pairing.value = { phase: 'connecting' };
    const { platform, crypto, clock, store } = this.#ports;
    const paired = await pairPhone(invitation, {
      platform,
      crypto,
      clock,
      keys: await createDeviceKeys(platform, store),
      phoneName,
      signal: attempt.signal,
      showCode: code => {
        if (this.#attempt === attempt) this.#pairing.value = { phase: 'code', code };
      },
    });
    if (this.#attempt !== attempt) return false;
    this.#attempt = undefined;
    if (!paired.ok) {
      this.#pairing.value = { phase: 'failed', reason: paired.code };
      return false;
    }
    await store?.save(paired.value);
    this.#open(paired.value);
    this.#pairing.value = { phase: 'ready' };
    return true;
  }

  cancelPairing(): void {
    this.#attempt?.abort();
    this.#attempt = undefined;
    this.#pairing.value = { phase: 'ready' };
  }

  /** Forgets a machine on this phone. The desk still lists the phone until it is revoked there. */
  async forget(bridge: BridgeId): Promise<void> {
    await this.#ports.store?.remove(bridge);
    const machines = new Map(this.#machines.value);
    machines.get(bridge)?.dispose();
    machines.delete(bridge);
    this.#machines.value = machines;
  }

  /** The page is seen again, or the network is back. */
  wake(): void {
    for (const machine of this.machines.value) machine.wake();
  }

  #open(record: PairingRecord): void {
    const { platform, crypto, clock, store } = this.#ports;
    this.#machines.value.get(record.bridgeId)?.dispose();
    const kept = new KeptPairing(record, store);
    const ring = new DeviceKeyRing(platform, clock, kept);
    const machine = new Machine({
      platform,
      crypto,
      clock,
      unit: () => unitOf(crypto.randomBytes(4)),
      kept,
      ring,
      renewal: new KeyRenewal({
        clock,
        kept,
        ring,
        drawKey: ({ bridgeId, keys }) => createNextKey(platform, store, bridgeId, keys),
      }),
    });
    this.#machines.value = new Map(this.#machines.value).set(record.bridgeId, machine);
  }
}

/** Four random bytes as a number in [0, 1). */
function unitOf(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => (sum + byte) / 256, 0);
}
