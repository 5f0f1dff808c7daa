import { useId } from 'preact/hooks';
import type { JSX } from 'preact';
import { useShell } from '../../app/shell.ts';
import { Age } from '../parts/timeText.tsx';
import { Icon } from '../parts/icon.tsx';
import type { ListRow } from './listRows.ts';

/** A session that needs nothing right now. */
export function SessionRow({ row }: { readonly row: ListRow }): JSX.Element {
  const { navigation } = useShell();
  const id = useId();
  const { session, instance, machine } = row;
  return (
    <li>
      <button
        type="button"
        class="row"
        aria-labelledby={`${id}t`}
        aria-describedby={`${id}m`}
        onClick={() =>
          navigation.open({
            screen: 'session',
            bridge: machine.record.bridgeId,
            instance,
            session: session.session_id,
          })
        }
      >
        <span class="row-text">
          <span class="row-title" id={`${id}t`}>
            {session.title}
          </span>
          <RowMeta row={row} id={`${id}m`} agent={session.agent_name} />
        </span>
        <Icon name="forward" />
      </button>
    </li>
  );
}

interface RowMetaProperties {
  readonly row: ListRow;
  readonly id: string;
  /** Left out where it was said already. */
  readonly agent?: string;
}

/** Agent, folder and age of a session, in one line. */
export function RowMeta({ row, id, agent }: RowMetaProperties): JSX.Element {
  const { app } = useShell();
  const { session, workspace, machine, live } = row;
  return (
    <span class="meta" id={id}>
      {agent !== undefined && <span>{agent}</span>}
      <span class="meta-place">
        {app.machines.value.length > 1 ? `${workspace} on ${machine.record.machine}` : workspace}
      </span>
      {session.owner === 'terminal' && <span>in the terminal</span>}
      {session.owner === 'elsewhere' && <span>in another terminal</span>}
      <Age atMs={session.updated_at * 1000} />
      {!live && <span class="not-live">not live</span>}
    </span>
  );
}
