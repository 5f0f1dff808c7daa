import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { AgentId, InstanceId } from '../../../core/protocol/ids.ts';
import { promptBytes } from '../session/promptBytes.ts';
import { limits } from '../../../core/protocol/limits.ts';
import { useShell } from '../../app/shell.ts';
import type { Machine } from '../../state/machine.ts';
import { Choice } from '../parts/choice.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { isLive } from './listRows.ts';
import { startPlaces } from './startPlaces.ts';

const demoExamples = ['write a note', 'run node --version', 'count slowly'];

/** Starts an agent: where, which, and with what to do. */
export function NewSessionSheet({ instance }: { readonly instance: InstanceId | undefined }): JSX.Element {
  const { app } = useShell();
  const places = startPlaces(app.machines.value);
  const [chosen, choose] = useState(instance);
  const place = places.find(({ window }) => window.instance === chosen) ?? places[0];
  if (place === undefined)
    return (
      <Sheet title="New session">
        <p>No editor window is reachable. Open a folder in the editor on your machine, then come back.</p>
      </Sheet>
    );
  return (
    <Sheet title="New session">
      {places.length > 1 && (
        <Choice
          label="Where"
          value={place.window.instance}
          options={places.map(({ window, label }) => ({ value: window.instance, label }))}
          choose={choose}
        />
      )}
      <StartForm key={place.window.instance} machine={place.machine} instance={place.window.instance} />
    </Sheet>
  );
}

function StartForm({
  machine,
  instance,
}: {
  readonly machine: Machine;
  readonly instance: InstanceId;
}): JSX.Element {
  const { navigation } = useShell();
  const window = machine.windows.value.find(candidate => candidate.instance === instance);
  const agents = window?.state?.agents ?? [];
  const [chosen, choose] = useState<AgentId | undefined>(undefined);
  const [prompt, setPrompt] = useState('');
  const agent = agents.find(candidate => candidate.agent_id === chosen) ?? agents[0];
  const tooLong = promptBytes(prompt) > limits.promptBytes;
  const live = window !== undefined && isLive(window);
  if (window?.state?.cwd === '')
    return (
      <p>
        This window has no folder that an agent may work in. Open one in the editor on your machine and trust
        it, then come back.
      </p>
    );
  if (agent === undefined)
    return <p>No agent was found on this machine. Install one there, then reload the editor window.</p>;
  const start = (): void => {
    const session = machine.startSession(instance, agent.agent_id, prompt.trim());
    navigation.replace({ screen: 'session', bridge: machine.record.bridgeId, instance, session: session.id });
  };
  return (
    <form
      class="stack"
      onSubmit={event => {
        event.preventDefault();
        start();
      }}
    >
      {agents.length > 1 ? (
        <Choice
          label="Agent"
          value={agent.agent_id}
          options={agents.map(({ agent_id, display_name }) => ({ value: agent_id, label: display_name }))}
          choose={choose}
        />
      ) : (
        <p class="quiet-text">
          {agent.display_name} in <span class="path">{window?.state?.cwd}</span>
        </p>
      )}
      <label class="field">
        <span>What should it do?</span>
        <textarea
          rows={4}
          value={prompt}
          aria-invalid={tooLong}
          onInput={event => setPrompt(event.currentTarget.value)}
        />
      </label>
      {agent.agent_id === 'demo' && (
        <div class="chips" role="group" aria-label="Examples">
          {demoExamples.map(example => (
            <button key={example} type="button" class="chip" onClick={() => setPrompt(example)}>
              {example}
            </button>
          ))}
        </div>
      )}
      {tooLong && <p class="problem">Longer than 64 KiB. Put the text in a file and name it here.</p>}
      {!live && <p class="problem">The window is not reachable right now.</p>}
      <button type="submit" class="button primary wide" disabled={prompt.trim() === '' || tooLong || !live}>
        Start
      </button>
      <button
        type="button"
        class="button wide"
        disabled={!live}
        onClick={() => {
          const sheet = { kind: 'external', bridge: machine.record.bridgeId, instance } as const;
          navigation.replace({ ...navigation.route.value, sheet });
        }}
      >
        Go on with one from the desk
      </button>
    </form>
  );
}
