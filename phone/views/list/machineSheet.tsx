import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { BridgeId } from '../../../core/protocol/ids.ts';
import { relayOrigin } from '../../../core/crypto/relayOrigin.ts';
import { useShell } from '../../app/shell.ts';
import type { Machine } from '../../state/machine.ts';
import { exactTime } from '../parts/relativeTime.ts';
import { Sheet } from '../parts/sheet.tsx';
import { presenceText } from './presenceText.ts';
import { windowText } from './windowText.ts';

/** What this phone knows of a machine, and how to part from it. */
export function MachineSheet({ bridge }: { readonly bridge: BridgeId }): JSX.Element {
  const { app } = useShell();
  const machine = app.machines.value.find(({ record }) => record.bridgeId === bridge);
  if (machine === undefined)
    return (
      <Sheet title="Machine">
        <p>This phone does not know the machine any more.</p>
      </Sheet>
    );
  return (
    <Sheet title={machine.record.machine}>
      <Facts machine={machine} />
      <Forget machine={machine} />
    </Sheet>
  );
}

function Facts({ machine }: { readonly machine: Machine }): JSX.Element {
  const { record } = machine;
  const windows = machine.windows.value;
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>{presenceText(machine.presence.value.presence).text}</dd>
      {windows.length > 0 && <dt>Windows</dt>}
      {windows.map(window => (
        <dd key={window.instance}>
          {windowText(window)}
          {window.state !== undefined && <span class="path">{window.state.cwd}</span>}
        </dd>
      ))}
      <dt>This phone may</dt>
      <dd>{roleText(record.role)}</dd>
      <dt>Keys</dt>
      <dd>
        {record.keys.dhKey.kind === 'wrapped' && record.keys.identity.kind === 'native'
          ? 'Protected by this browser'
          : 'Extractable: this browser cannot lock them away'}
      </dd>
      <dt>Relay</dt>
      <dd class="path">{relayOrigin(record.relay)}</dd>
      <dt>Paired</dt>
      <dd>{exactTime(record.pairedAt)}</dd>
      <dt>App build</dt>
      <dd class="path">{document.documentElement.dataset.build}</dd>
    </dl>
  );
}

function roleText(role: Machine['record']['role']): string {
  switch (role) {
    case 'owner':
      return 'Do everything: start, steer, approve';
    case 'co_driver':
      return 'Suggest and talk; its owner approves';
    case 'viewer':
      return 'Read';
  }
}

function Forget({ machine }: { readonly machine: Machine }): JSX.Element {
  const { app, navigation } = useShell();
  const [sure, setSure] = useState(false);
  if (!sure)
    return (
      <button type="button" class="button danger wide" onClick={() => setSure(true)}>
        Forget this machine
      </button>
    );
  return (
    <div class="confirm" role="group" aria-label="Confirm">
      <p>
        The keys for {machine.record.machine} are erased here. The desk lists this phone until you remove it
        there.
      </p>
      <button
        type="button"
        class="button danger wide"
        onClick={() => {
          void app.forget(machine.record.bridgeId);
          navigation.back();
        }}
      >
        Erase the keys
      </button>
      <button type="button" class="button wide" onClick={() => setSure(false)}>
        Keep
      </button>
    </div>
  );
}
