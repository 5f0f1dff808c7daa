import { useEffect, useState } from 'preact/hooks';
import type { TerminalScreen } from '../../state/terminalScreen.ts';
import { spokenLine } from './shownRows.ts';

/** So long nothing changes before a change is told: a program that draws is not talked over. */
const quietMs = 1_500;

/** The line that is worth hearing, once the screen is quiet. */
export function useSpokenLine(screen: TerminalScreen | undefined): string {
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    if (screen === undefined) return undefined;
    const timer = setTimeout(() => setSpoken(spokenLine(screen)), quietMs);
    return () => clearTimeout(timer);
  }, [screen]);
  return spoken;
}
