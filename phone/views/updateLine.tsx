import type { JSX } from 'preact';
import { useShell } from '../app/shell.ts';

/** One line at the top: a newer build waits. It covers nothing and goes away when told to. */
export function UpdateLine(): JSX.Element | null {
  const { update } = useShell();
  if (!update.isReady.value) return null;
  return (
    <div class="update-line measure" role="status">
      <span>A new version is ready.</span>
      <button type="button" class="link-button" onClick={() => update.apply()}>
        Reload
      </button>
      <button type="button" class="link-button quiet" onClick={() => update.dismiss()}>
        Later
      </button>
    </div>
  );
}
