import { useId } from 'preact/hooks';
import type { JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import type { Machine, MachineWindow } from '../../state/machine.ts';
import { Icon } from '../parts/icon.tsx';
import { ageText } from '../parts/relativeTime.ts';
import { presenceText } from './presenceText.ts';
import { windowText } from './windowText.ts';

/** A machine, its state and its windows; opens its details. */
export function MachineSection({ machine }: { readonly machine: Machine }): JSX.Element {
  const { navigation, now } = useShell();
  const id = useId();
  const { presence, since } = machine.presence.value;
  const age = presence === 'online' ? '' : ageText(since, now.value);
  return (
    <li>
      <button
        type="button"
        class="row"
        aria-labelledby={`${id}t`}
        aria-describedby={`${id}m`}
        onClick={() => navigation.openSheet({ kind: 'machine', bridge: machine.record.bridgeId })}
      >
        <Icon name="machine" />
        <span class="row-text">
          <span class="row-title" id={`${id}t`}>
            {machine.record.machine}
          </span>
          <span class="meta" id={`${id}m`}>
            <span>
              {presenceText(presence).text} {age}
            </span>
            {presence === 'online' && <span>{windowsText(machine.windows.value)}</span>}
          </span>
        </span>
        <Icon name="forward" />
      </button>
    </li>
  );
}

function windowsText(windows: readonly MachineWindow[]): string {
  const [only] = windows;
  if (windows.length === 1 && only !== undefined) return windowText(only);
  return `${String(windows.length)} windows`;
}
