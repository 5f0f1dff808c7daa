import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { parsePairingFragment } from '../../../core/crypto/pairingFragment.ts';
import { useShell } from '../../app/shell.ts';
import { BackButton } from '../parts/backButton.tsx';
import { Mark } from '../parts/mark.tsx';
import { ScreenTitle } from '../parts/screenTitle.tsx';
import { linkRefusalText } from './linkRefusalText.ts';

/** What this is, and how a machine gets here. */
export function AddMachine(): JSX.Element {
  const { app, badLink } = useShell();
  const isFirst = app.machines.value.length === 0;
  return (
    <div class="screen">
      <header class="bar">
        <div class="measure brand">
          {isFirst ? <Mark /> : <BackButton />}
          {isFirst ? <span class="wordmark">Terminull</span> : <ScreenTitle>Pair a machine</ScreenTitle>}
        </div>
      </header>
      <main class="scroll">
        <div class="measure welcome">
          {isFirst && (
            <>
              <ScreenTitle>Leave the desk. Your agents go on.</ScreenTitle>
              <p class="lead">
                Terminull shows the coding agents of your editor on this phone, and lets you answer and steer
                them. Everything is encrypted between the two; nobody in between can read it.
              </p>
            </>
          )}
          {badLink.value && (
            <p class="problem" role="alert">
              The link that opened this page is not a whole pairing link. Scan the code again.
            </p>
          )}
          <ol class="steps">
            <li>
              <h2>Show a code in the editor</h2>
              <p>
                Open the command palette and run <kbd>Terminull: Pair Phone</kbd>.
              </p>
            </li>
            <li>
              <h2>Scan it with the camera</h2>
              <p>
                The camera of this phone offers to open a page. Open it: it is this one, with an invitation.
              </p>
            </li>
          </ol>
          <section class="other-way" aria-labelledby="paste">
            <h2 id="paste">Or paste the link</h2>
            <PasteLink />
          </section>
          {app.isForgetful && <Forgetful />}
        </div>
      </main>
    </div>
  );
}

function PasteLink(): JSX.Element {
  const { badLink, invitation, navigation } = useShell();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const submit = (): void => {
    const parsed = parsePairingFragment(text.trim());
    if (!parsed.ok) {
      setProblem(linkRefusalText(parsed.code));
      return;
    }
    badLink.value = false;
    invitation.value = parsed.value;
    const { screen } = navigation.route.value;
    if (screen === 'add') navigation.replace({ screen: 'pair' });
    else navigation.open({ screen: 'pair' });
  };
  return (
    <form
      class="stack"
      onSubmit={event => {
        event.preventDefault();
        submit();
      }}
    >
      <label class="field">
        <span class="sr-only">Pairing link</span>
        <input
          type="text"
          inputMode="url"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder="https://…/#…"
          value={text}
          aria-invalid={problem !== undefined}
          onInput={event => {
            setText(event.currentTarget.value);
            setProblem(undefined);
          }}
        />
      </label>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="button primary wide" disabled={text.trim() === ''}>
        Continue
      </button>
    </form>
  );
}

/** Where the browser stores nothing. */
export function Forgetful(): JSX.Element {
  return (
    <p class="notice">
      This browser stores nothing, perhaps because this is a private tab: the pairing lives as long as this
      page is open.
    </p>
  );
}
