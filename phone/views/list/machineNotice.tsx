import type { JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import type { Machine } from '../../state/machine.ts';
import type { Presence } from '../../state/presence.ts';
import { ageText } from '../parts/relativeTime.ts';
import { presenceText } from './presenceText.ts';

/** What stands between this phone and a machine, and the way on. Nothing when all is well. */
export function MachineNotice({ machine }: { readonly machine: Machine }): JSX.Element | null {
  const { now } = useShell();
  const { presence, since } = machine.presence.value;
  if (presence === 'online') return null;
  const { text, advice } = presenceText(presence);
  const age = presence === 'revoked' || presence === 'replaced' ? '' : ageText(since, now.value);
  return (
    <section class={presence === 'revoked' ? 'notice bad' : 'notice'} role="status">
      <p>
        <strong>{text}</strong>
        <span class="meta">
          <span>{machine.record.machine}</span>
          {age !== '' && <span>{age}</span>}
        </span>
      </p>
      {advice !== undefined && <p class="quiet-text">{advice}</p>}
      <NoticeAction machine={machine} presence={presence} />
    </section>
  );
}

function NoticeAction({
  machine,
  presence,
}: {
  readonly machine: Machine;
  readonly presence: Presence;
}): JSX.Element | null {
  const { app } = useShell();
  switch (presence) {
    case 'connecting':
    case 'online':
      return null;
    case 'asleep':
      return <NoticeButton label="Check again" press={() => machine.check()} />;
    case 'relay_down':
      return <NoticeButton label="Try now" press={() => machine.wake()} />;
    case 'revoked':
      return (
        <NoticeButton
          label="Forget this machine"
          press={() => {
            void app.forget(machine.record.bridgeId);
          }}
        />
      );
    case 'replaced':
      return <NoticeButton label="Use here" press={() => machine.restart()} />;
    case 'unauthorized':
      return <NoticeButton label="Try again" press={() => machine.restart()} />;
    case 'incompatible_version':
      return <NoticeButton label="Reload" press={() => location.reload()} />;
  }
}

function NoticeButton({ label, press }: { readonly label: string; readonly press: () => void }): JSX.Element {
  return (
    <button type="button" class="button" onClick={press}>
      {label}
    </button>
  );
}
