import type { ReadonlySignal, Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PairingInvitation } from '../../core/crypto/pairingFragment.ts';
import type { PhoneApp } from '../state/phoneApp.ts';
import type { AppUpdate } from './appUpdate.ts';
import type { Drafts } from './drafts.ts';
import type { Navigation } from './navigation.ts';

/** What every screen can reach. */
export interface Shell {
  readonly app: PhoneApp;
  readonly navigation: Navigation;
  readonly drafts: Drafts;
  readonly update: AppUpdate;
  /** The stored pairings have been read. */
  readonly loaded: ReadonlySignal<boolean>;
  /** The invitation of a scanned or pasted link that waits for its owner's word. */
  readonly invitation: Signal<PairingInvitation | undefined>;
  /** The link that opened the page was none. */
  readonly badLink: Signal<boolean>;
  readonly phoneName: Signal<string>;
  /** Milliseconds since the epoch, a few times a minute. */
  readonly now: ReadonlySignal<number>;
}

export const ShellContext = createContext<Shell | undefined>(undefined);

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (shell === undefined) throw new Error('a view outside of the app');
  return shell;
}
