import type { JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import type { Refusal } from '../../state/phoneSession.ts';
import type { TerminalScreen } from '../../state/terminalScreen.ts';
import { screenFailureText } from './screenFailureText.ts';

interface Properties {
  readonly isOpen: boolean;
  readonly isLive: boolean;
  readonly failure: Refusal | undefined;
  readonly screen: TerminalScreen | undefined;
}

/** What is to be known of the screen that is shown, or of why there is none. */
export function TerminalNotice({ isOpen, isLive, failure, screen }: Properties): JSX.Element | null {
  const { navigation } = useShell();
  const isShown = screen !== undefined;
  if (isLive && isShown && screen.cut === undefined) return null;
  const text =
    failure !== undefined
      ? `${screenFailureText(failure)}.`
      : screen === undefined && isOpen
        ? 'Fetching the screen…'
        : screen === undefined || !isLive
          ? 'Not live.'
          : screen.cut === 'styles'
            ? 'Without its colours: too much is on the screen to be sent.'
            : 'The ends of its lines are cut: too much is on the screen to be sent.';
  return (
    <div class={isShown ? 'terminal-notice' : 'terminal-notice alone'}>
      <p role="status">
        {text} {!isLive && isShown && 'This is what it showed last.'}
      </p>
      {failure !== undefined && !isShown && (
        <button type="button" class="button" onClick={() => navigation.back()}>
          Back to the transcript
        </button>
      )}
    </div>
  );
}
