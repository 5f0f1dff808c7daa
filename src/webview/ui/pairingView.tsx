import type { ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { FromWebview, PanelPairing, PanelState } from '../messages.ts';
import { Button } from './button.tsx';
import { CodeForm } from './codeForm.tsx';
import { failureText } from './failureText.ts';
import { Invitation } from './invitation.tsx';

interface Properties {
  readonly state: ReadonlySignal<PanelState | undefined>;
  readonly send: (message: FromWebview) => void;
}

/** One task at a time: show the code, take the phone's number, say how it ended. */
export function PairingView({ state, send }: Properties): JSX.Element {
  const panel = state.value;
  if (panel === undefined) return <p class="quiet">Loading…</p>;
  return (
    <>
      <header>
        <h1>Pair a phone</h1>
        <p class="relay">
          <span class={`dot ${panel.connection}`} aria-hidden="true" />
          {connectionText(panel)}
        </p>
      </header>
      <section aria-live="polite">
        <Step pairing={panel.pairing} send={send} />
      </section>
      <Phones phones={panel.phones} />
    </>
  );
}

function Step({ pairing, send }: { pairing: PanelPairing; send: Properties['send'] }): JSX.Element {
  switch (pairing.phase) {
    case 'idle':
      return (
        <div class="step">
          <p>Your phone talks to this machine through the relay. Only these two can read what they say.</p>
          <Button label="Show Code" onPress={() => send({ type: 'pair' })} />
        </div>
      );
    case 'starting':
      return <p class="quiet">Asking the relay for a place to meet…</p>;
    case 'waiting':
      return <Invitation invitation={pairing} send={send} />;
    case 'code':
      return <CodeForm phoneName={pairing.phoneName} refused={pairing.refused} send={send} />;
    case 'registering':
      return <p class="quiet">Registering {pairing.phoneName}…</p>;
    case 'paired':
      return (
        <div class="step">
          <p class="outcome good">
            <i class="codicon codicon-pass-filled" aria-hidden="true" /> {pairing.phoneName} is paired.
          </p>
          <p class="quiet">It sees this machine’s sessions now. You can close this tab.</p>
          <Button label="Pair Another Phone" quiet onPress={() => send({ type: 'pair' })} />
        </div>
      );
    case 'failed': {
      const { title, advice } = failureText(pairing.reason);
      return (
        <div class="step">
          <p class="outcome bad">
            <i class="codicon codicon-error" aria-hidden="true" /> {title}
          </p>
          <p>{advice}</p>
          <Button label="Show New Code" onPress={() => send({ type: 'pair' })} />
        </div>
      );
    }
  }
}

function Phones({ phones }: { phones: PanelState['phones'] }): JSX.Element | null {
  if (phones.length === 0) return null;
  return (
    <section class="phones">
      <h2>Paired phones</h2>
      <ul>
        {phones.map(phone => (
          <li key={phone.id}>
            <i class="codicon codicon-device-mobile" aria-hidden="true" />
            <span class="name">{phone.name}</span>
            <span class="quiet">{phone.connected ? 'connected' : 'away'}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function connectionText({ connection, relay }: PanelState): string {
  switch (connection) {
    case 'online':
      return `Connected to the relay at ${relay}`;
    case 'connecting':
      return `Looking for the relay at ${relay}…`;
    case 'refused':
      return `The relay at ${relay} refused this machine`;
    case 'off':
      return 'Not connected to a relay';
  }
}
