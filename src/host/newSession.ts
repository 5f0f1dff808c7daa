import { l10n, window } from 'vscode';
import type { Bridge } from '../bridge/bridge.ts';
import { commandId } from './ids.ts';
import { errorText } from './errorText.ts';
import { showErrorWithButton } from './showErrorWithButton.ts';

const editorPrompt = 'editor';

/** Asks for an agent and a first prompt, then starts the session. */
export async function newSession(bridge: Bridge): Promise<void> {
  const agent = await pickAgent(bridge);
  if (agent === undefined) return;
  const prompt = await window.showInputBox({
    title: l10n.t('New session with {0}', agent.name),
    prompt: l10n.t('What should the agent do? You can go on from your phone.'),
    placeHolder: l10n.t('For example: write a note'),
    ignoreFocusOut: true,
  });
  if (prompt === undefined || prompt.trim() === '') return;
  const created = bridge.createSession(agent.id);
  const outcome = created.ok
    ? created.value.prompt(prompt, `${editorPrompt}_${created.value.id}`, { kind: 'desktop' })
    : created;
  if (!outcome.ok) await showErrorWithButton(errorText(outcome.code), l10n.t('Show Log'), commandId.showLog);
}

async function pickAgent(bridge: Bridge): Promise<Bridge['installedAgents'][number] | undefined> {
  const [only, ...more] = bridge.installedAgents;
  if (more.length === 0) return only;
  const picked = await window.showQuickPick(
    bridge.installedAgents.map(agent => ({ label: agent.name, description: agent.version, agent })),
    { title: l10n.t('Which agent?') },
  );
  return picked?.agent;
}
