import type { ComponentChildren, JSX } from 'preact';
import { relayOrigin } from '../../../core/crypto/relayOrigin.ts';
import type { PairingInvitation } from '../../../core/crypto/pairingFragment.ts';
import { limits } from '../../../core/protocol/limits.ts';
import { useShell } from '../../app/shell.ts';
import { BackButton } from '../parts/backButton.tsx';
import { ScreenTitle } from '../parts/screenTitle.tsx';
import { Forgetful } from './addMachine.tsx';
import { PairingCode } from './pairingCode.tsx';
import { pairFailureText } from './pairFailureText.ts';

interface Properties {
  readonly invitation: PairingInvitation;
}

/** An invitation, up to the pairing. Nothing happens before its reader says so. */
export function PairView({ invitation }: Properties): JSX.Element {
  const { app, invitation: current, navigation } = useShell();
  const pairing = app.pairing.value;
  const leave = (): void => {
    app.cancelPairing();
    current.value = undefined;
    navigation.back();
  };
  const cancel = (
    <button type="button" class="button wide" onClick={leave}>
      Cancel
    </button>
  );
  switch (pairing.phase) {
    case 'ready':
      return (
        <Frame title="Pair this phone?">
          <Offer invitation={invitation} />
          {cancel}
        </Frame>
      );
    case 'connecting':
      return (
        <Frame title="Connecting…">
          <p class="lead" role="status">
            Asking the machine through <span class="path">{relayOrigin(invitation.relay)}</span>.
          </p>
          {cancel}
        </Frame>
      );
    case 'code':
      return (
        <Frame title="Type this number in your editor">
          <PairingCode code={pairing.code} />
          <p class="lead">
            It proves that the two of you are talking to each other and to nobody else. Keep this page open
            until the editor has taken it.
          </p>
          {cancel}
        </Frame>
      );
    case 'failed':
      return (
        <Frame title={pairFailureText(pairing.reason).title}>
          <Failed invitation={invitation} retry={pairFailureText(pairing.reason).retry}>
            {pairFailureText(pairing.reason).advice}
          </Failed>
          {cancel}
        </Frame>
      );
  }
}

function Frame({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="screen">
      <header class="bar">
        <div class="measure brand">
          <BackButton />
          <span class="wordmark">Pairing</span>
        </div>
      </header>
      <main class="scroll">
        <div class="measure pairing">
          <ScreenTitle key={title}>{title}</ScreenTitle>
          {children}
        </div>
      </main>
    </div>
  );
}

function Offer({ invitation }: Properties): JSX.Element {
  const { app, phoneName } = useShell();
  const pair = usePair(invitation);
  return (
    <form
      class="stack"
      onSubmit={event => {
        event.preventDefault();
        pair();
      }}
    >
      <p class="lead">
        The machine that showed the code will let this phone read its sessions, start agents and approve what
        they do.
      </p>
      <dl class="facts">
        <dt>Through the relay</dt>
        <dd class="path">{relayOrigin(invitation.relay)}</dd>
      </dl>
      <label class="field">
        <span>Name of this phone</span>
        <input
          type="text"
          autocomplete="off"
          maxLength={limits.nameChars}
          value={phoneName.value}
          onInput={event => {
            phoneName.value = event.currentTarget.value;
          }}
        />
      </label>
      {app.isForgetful && <Forgetful />}
      <button type="submit" class="button primary wide" disabled={phoneName.value.trim() === ''}>
        Pair this phone
      </button>
    </form>
  );
}

function Failed({
  invitation,
  retry,
  children,
}: Properties & { readonly retry: boolean; readonly children: ComponentChildren }): JSX.Element {
  const { app, invitation: current, navigation } = useShell();
  const pair = usePair(invitation);
  return (
    <>
      <p class="lead" role="alert">
        {children}
      </p>
      {retry && <p class="path">{relayOrigin(invitation.relay)}</p>}
      <button
        type="button"
        class="button primary wide"
        onClick={() => {
          if (retry) {
            pair();
            return;
          }
          app.cancelPairing();
          current.value = undefined;
          navigation.replace({ screen: app.machines.value.length === 0 ? 'list' : 'add' });
        }}
      >
        {retry ? 'Try again' : 'Use a new code'}
      </button>
    </>
  );
}

/** Pairs, and goes on to the list. */
function usePair(invitation: PairingInvitation): () => void {
  const { app, invitation: current, navigation, phoneName } = useShell();
  return () => {
    void app.pair(invitation, phoneName.value.trim()).then(paired => {
      if (!paired) return;
      current.value = undefined;
      navigation.back();
      // The keys were made to stay: ask the browser not to evict them.
      if ('storage' in navigator) void navigator.storage.persist();
    });
  };
}
