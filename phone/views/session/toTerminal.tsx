import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import type { PhoneSession, Refusal } from '../../state/phoneSession.ts';

/** Moves a session to its agent's own terminal at the desk, for whoever comes there next. */
export function ToTerminal({ session }: { readonly session: PhoneSession }): JSX.Element {
  const { navigation } = useShell();
  const [isMoving, setMoving] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | undefined>(undefined);
  const move = async (): Promise<void> => {
    setMoving(true);
    const refused = await session.continueInTerminal();
    setMoving(false);
    setRefusal(refused);
    if (refused === undefined) navigation.back();
  };
  return (
    <>
      <p class="quiet-text">
        At the desk, it can go on in the agent’s own terminal. You read along here, see its screen, and it
        comes back when it is left.
      </p>
      <button
        type="button"
        class="button wide"
        disabled={isMoving || session.channel.value.phase !== 'open'}
        onClick={() => void move()}
      >
        {isMoving ? 'Moving…' : 'Continue in the terminal'}
      </button>
      {refusal !== undefined && (
        <p class="problem" role="alert">
          {refusalTexts.get(refusal) ?? 'It did not move. Try again.'}
        </p>
      )}
    </>
  );
}

const refusalTexts: ReadonlyMap<Refusal, string> = new Map([
  ['busy', 'It works right now. Stop it first, or wait until its turn ends.'],
  ['parked', 'Somebody has it in a terminal already.'],
  ['not_owner', 'Only an owner of the machine may do that.'],
  ['unsupported_operation', 'This agent has no terminal of its own, or nothing was said yet.'],
]);
