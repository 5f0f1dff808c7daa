import type { JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import { Icon } from './icon.tsx';

export function BackButton(): JSX.Element {
  const { navigation } = useShell();
  return (
    <button type="button" class="icon-button" aria-label="Back" onClick={() => navigation.back()}>
      <Icon name="back" />
    </button>
  );
}
