import './main.css';
import { signal } from '@preact/signals';
import { render } from 'preact';
import { parsePairingFragment, type PairingInvitation } from '../../core/crypto/pairingFragment.ts';
import { chooseCrypto } from '../../platform/web/chooseCrypto.ts';
import { systemClock } from '../../platform/web/systemClock.ts';
import { loadMarkdown } from '../markdown/markdown.tsx';
import { PhoneApp } from '../state/phoneApp.ts';
import { PairingStore } from '../storage/pairingStore.ts';
import { Root } from '../views/root.tsx';
import { AppUpdate } from './appUpdate.ts';
import { Drafts } from './drafts.ts';
import { fitViewport } from './fitViewport.ts';
import { guessPhoneName } from './guessPhoneName.ts';
import { Navigation } from './navigation.ts';
import { ShellContext, type Shell } from './shell.ts';
import { takeFragment } from './takeFragment.ts';
import { tickingNow } from './tickingNow.ts';

/** Markdown is fetched once the first screen has had its time. */
const idleMs = 1_500;

async function start(fragment: string): Promise<void> {
  const [{ port: crypto }, store, guessed] = await Promise.all([
    chooseCrypto(globalThis.crypto),
    // A page over plain HTTP is a trial: what it holds ends with it.
    isSecureContext ? PairingStore.open() : undefined,
    guessPhoneName(navigator),
  ]);
  const app = new PhoneApp({
    platform: globalThis.crypto,
    crypto,
    clock: systemClock,
    store,
    phoneName: guessed,
  });
  const navigation = new Navigation(history, window);
  const loaded = signal(false);
  const update = new AppUpdate();
  const shell: Shell = {
    app,
    navigation,
    loaded,
    drafts: new Drafts(),
    update,
    invitation: signal<PairingInvitation | undefined>(undefined),
    badLink: signal(false),
    phoneName: signal(guessed),
    now: tickingNow(systemClock),
  };
  if (fragment !== '' && receiveLink(shell, fragment)) navigation.replace({ screen: 'pair' });
  else if (navigation.route.value.screen === 'pair') navigation.replace({ screen: 'list' });

  window.addEventListener('hashchange', () => {
    const link = takeFragment(location, history);
    if (link !== '' && receiveLink(shell, link)) navigation.adopt({ screen: 'pair' });
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') app.wake();
  });
  for (const name of ['online', 'pageshow']) window.addEventListener(name, () => app.wake());
  fitViewport(window);

  const root = document.getElementById('root');
  if (root === null) return;
  render(
    <ShellContext.Provider value={shell}>
      <Root />
    </ShellContext.Provider>,
    root,
  );
  await app.load();
  loaded.value = true;
  setTimeout(() => {
    loadMarkdown();
    void update.start('serviceWorker' in navigator ? navigator.serviceWorker : undefined);
  }, idleMs);
}

/** A link only offers to pair: whether it does is for its reader to say. */
function receiveLink({ app, invitation, badLink }: Shell, link: string): boolean {
  const parsed = parsePairingFragment(link);
  badLink.value = !parsed.ok;
  if (!parsed.ok) return false;
  app.cancelPairing();
  invitation.value = parsed.value;
  return true;
}

// Before anything else: the fragment can hold a pairing secret.
void start(takeFragment(location, history));
