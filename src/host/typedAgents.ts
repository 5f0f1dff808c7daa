import { l10n, window, workspace, type Terminal } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { ExternalSession } from '../bridge/externalSessions.ts';
import { ancestors } from '../terminal/ancestors.ts';
import { errorText } from './errorText.ts';
import { commandId, settingId } from './ids.ts';
import { showErrorWithButton } from './showErrorWithButton.ts';
import { typedProgram } from './typedProgram.ts';

/** How long an agent that was started may take until it says which conversation it works at. */
const startMs = 30_000;

/** Notices agents that are started by hand in the editor's terminals, and offers to share them with the paired phones. */
export class TypedAgents implements Disposable {
  readonly #bridge: Bridge;
  readonly #disposables = new DisposableStore();

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    this.#disposables.add(
      window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        const program = typedProgram(execution.commandLine.value);
        const agent = bridge.installedAgents.find(
          ({ programs }) => program !== undefined && programs.includes(program),
        );
        if (agent !== undefined) void this.#offer(terminal, agent.name);
      }),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #offer(terminal: Terminal, name: string): Promise<void> {
    const choice = workspace.getConfiguration().get<string>(settingId.shareTerminals, 'ask');
    // Without a phone there is nobody to share it with; it is listed all the same.
    if (choice === 'never' || this.#bridge.devices.length === 0) return;
    const found = await this.#find(terminal);
    if (found === undefined || this.#disposables.isDisposed) return;
    if (choice === 'always') {
      await this.#share(found);
      return;
    }
    const share = l10n.t('Share Session');
    const always = l10n.t('Always Share');
    const never = l10n.t('Don’t Ask Again');
    const text = l10n.t('{0} runs in this terminal. Share it with your phone, to read along there?', name);
    const answer = await window.showInformationMessage(text, share, always, never);
    if (answer === always || answer === never)
      await workspace
        .getConfiguration()
        .update(settingId.shareTerminals, answer === always ? 'always' : 'never', true);
    if (answer === share || answer === always) await this.#share(found);
  }

  async #share(external: ExternalSession): Promise<void> {
    const bound = await this.#bridge.bindExternal(external);
    // Somebody has taken it up from the phone meanwhile.
    if (bound.ok || bound.code === 'request_conflict') return;
    await showErrorWithButton(errorText(bound.code), l10n.t('Show Log'), commandId.showLog);
  }

  /** The conversation of what runs in a terminal, once it is known. */
  async #find(terminal: Terminal): Promise<ExternalSession | undefined> {
    const shell = await terminal.processId;
    if (shell === undefined) return undefined;
    return new Promise(resolve => {
      const settle = (found: ExternalSession | undefined): void => {
        clearTimeout(timer);
        this.#disposables.delete(listener);
        resolve(found);
      };
      const look = (): void => {
        const found = this.#bridge.externals.live.find(
          ({ owner }) => owner !== undefined && ancestors(owner.pid).includes(shell),
        );
        if (found !== undefined) settle(found);
      };
      const timer = setTimeout(() => settle(undefined), startMs);
      const listener = this.#disposables.add(this.#bridge.onDidChangeExternals(look));
      look();
    });
  }
}
