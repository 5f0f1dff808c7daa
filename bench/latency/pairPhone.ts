import { parsePairingFragment } from '../../core/crypto/pairingFragment.ts';
import { chooseCrypto } from '../../platform/web/chooseCrypto.ts';
import { systemClock } from '../../platform/web/systemClock.ts';
import type { Machine } from '../../phone/state/machine.ts';
import { PhoneApp } from '../../phone/state/phoneApp.ts';
import { untilSignal } from '../../test/fakes/until.ts';
import { invitation, type ToBridge } from './bridgeMessage.ts';
import type { ChildProgram } from './childProgram.ts';

/** Pairs a phone with the bridge of another process; all but the screen is the phone app's own, its cryptography too. */
export async function pairPhone(bridge: ChildProgram): Promise<Machine> {
  const { port: crypto } = await chooseCrypto(globalThis.crypto);
  const phone = new PhoneApp({
    platform: globalThis.crypto,
    crypto,
    clock: systemClock,
    store: undefined,
    phoneName: 'Bench',
  });
  const { link } = invitation.parse(await bridge.next());
  const parsed = parsePairingFragment(link);
  if (!parsed.ok) throw new Error(parsed.code);
  const paired = phone.pair(parsed.value);
  const code = await untilSignal('a code', phone.pairing, state =>
    state.phase === 'code' ? state.code : undefined,
  );
  const typed: ToBridge = { kind: 'code', code };
  bridge.send(typed);
  const [machine] = (await paired) ? phone.machines.value : [];
  if (machine === undefined) throw new Error('the phone was not paired');
  return machine;
}
