import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { Result } from '../../../core/base/result.ts';
import type { BridgeId, InstanceId } from '../../../core/protocol/ids.ts';
import type { ExternalSession } from '../../../core/protocol/response.ts';
import { useShell } from '../../app/shell.ts';
import type { Machine } from '../../state/machine.ts';
import type { Refusal } from '../../state/phoneSession.ts';
import { Sheet } from '../parts/sheet.tsx';
import { ExternalRow } from './externalRow.tsx';

type Answer = Result<readonly ExternalSession[], Refusal>;

/** Conversations that its user has, or had, with agents in terminals of their own: one is taken up by a tap. */
export function ExternalSheet(place: {
  readonly bridge: BridgeId;
  readonly instance: InstanceId;
}): JSX.Element {
  const { app } = useShell();
  const machine = app.machines.value.find(({ record }) => record.bridgeId === place.bridge);
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isThere = true;
    setAnswer(undefined);
    void machine?.externalSessions(place.instance).then(told => {
      if (isThere) setAnswer(told);
    });
    return () => {
      isThere = false;
    };
  }, [machine, place.instance, tries]);
  return (
    <Sheet title="From the desk">
      {machine === undefined ? (
        <p>This phone does not know the machine any more.</p>
      ) : (
        <Found
          machine={machine}
          instance={place.instance}
          answer={answer}
          again={() => setTries(tries + 1)}
        />
      )}
    </Sheet>
  );
}

function Found({
  machine,
  instance,
  answer,
  again,
}: {
  readonly machine: Machine;
  readonly instance: InstanceId;
  readonly answer: Answer | undefined;
  readonly again: () => void;
}): JSX.Element {
  if (answer === undefined) return <p role="status">Looking on the machine…</p>;
  if (!answer.ok)
    return (
      <div class="stack" role="status">
        <p>{failureText(answer.code)}</p>
        <button type="button" class="button wide" onClick={again}>
          Look again
        </button>
      </div>
    );
  if (answer.value.length === 0)
    return (
      <p role="status">
        Nothing here yet. When you talk to Claude Code in any terminal in this folder, the conversation is
        listed here.
      </p>
    );
  const rows = (isLive: boolean): readonly ExternalSession[] =>
    answer.value.filter(({ live }) => (live === 'no') !== isLive);
  return (
    <div class="stack">
      <Group title="In a terminal now" rows={rows(true)} machine={machine} instance={instance} />
      <Group title="Earlier" rows={rows(false)} machine={machine} instance={instance} />
    </div>
  );
}

function Group({
  title,
  rows,
  ...place
}: {
  readonly title: string;
  readonly rows: readonly ExternalSession[];
  readonly machine: Machine;
  readonly instance: InstanceId;
}): JSX.Element | null {
  if (rows.length === 0) return null;
  const id = `external-${title}`;
  return (
    <section aria-labelledby={id}>
      <h3 id={id} class="group-title">
        {title}
      </h3>
      <ul class="rows">
        {rows.map(row => (
          <ExternalRow key={`${row.agent_id} ${row.native_id}`} row={row} {...place} />
        ))}
      </ul>
    </section>
  );
}

function failureText(code: Refusal): string {
  if (code === 'not_owner') return 'Only an owner of the machine sees what runs in its terminals.';
  if (code === 'unsupported_operation') return 'The machine’s extension is older and does not know this yet.';
  return 'The machine did not answer.';
}
