import { useId } from 'preact/hooks';
import type { JSX } from 'preact';
import type { InstanceId } from '../../../core/protocol/ids.ts';
import type { ExternalSession } from '../../../core/protocol/response.ts';
import { useShell } from '../../app/shell.ts';
import type { Machine } from '../../state/machine.ts';
import { Icon } from '../parts/icon.tsx';
import { Age } from '../parts/timeText.tsx';

interface Properties {
  readonly machine: Machine;
  readonly instance: InstanceId;
  readonly row: ExternalSession;
}

/** A conversation that becomes a session when it is tapped. */
export function ExternalRow({ machine, instance, row }: Properties): JSX.Element {
  const { navigation } = useShell();
  const id = useId();
  const window = machine.windows.value.find(candidate => candidate.instance === instance);
  const agent = window?.state?.agents.find(({ agent_id }) => agent_id === row.agent_id);
  const folder = folderIn(row.cwd, window?.state?.cwd ?? '');
  const take = (): void => {
    const session = machine.bindSession(instance, row.agent_id, row.native_id);
    navigation.replace({ screen: 'session', bridge: machine.record.bridgeId, instance, session: session.id });
  };
  return (
    <li>
      <button type="button" class="row" aria-labelledby={`${id}t`} aria-describedby={`${id}m`} onClick={take}>
        <span class="row-text">
          <span class="row-title" id={`${id}t`}>
            {row.title}
          </span>
          <span class="meta" id={`${id}m`}>
            <span>{agent?.display_name ?? row.agent_id}</span>
            {folder !== '' && <span class="meta-place">{folder}</span>}
            <Age atMs={row.updated_at * 1000} />
          </span>
        </span>
        <Icon name="forward" />
      </button>
    </li>
  );
}

/** Where in the window's folder, when it is not the folder itself. */
function folderIn(cwd: string, folder: string): string {
  return cwd.startsWith(folder) ? cwd.slice(folder.length).replace(/^[/\\]/, '') : cwd;
}
