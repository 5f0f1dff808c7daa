import { hostname } from 'node:os';
import { join } from 'node:path';
import { commands, l10n, window, workspace, type ExtensionContext } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { deviceId, sessionId } from '../../core/protocol/ids.ts';
import { systemClock } from '../../platform/node/systemClock.ts';
import { createBridge, type Bridge } from '../bridge/bridge.ts';
import { parseRelayAddress } from '../relayClient/relayAddress.ts';
import { installKeeper } from '../terminal/installKeeper.ts';
import { PairingPanel } from '../webview/panel.ts';
import { builtInAdapters } from './adapters.ts';
import { DevicesTree, type DeviceNode } from './devicesTree.ts';
import { commandId, contextKey, settingId, viewId } from './ids.ts';
import { createLogChannel } from './logChannel.ts';
import { AgentTerminals } from './agentTerminals.ts';
import { changeWaiting } from './changeWaiting.ts';
import { choosePermissions } from './choosePermissions.ts';
import { continueInTerminal } from './continueInTerminal.ts';
import { newSession } from './newSession.ts';
import { pickSession } from './pickSession.ts';
import { SessionsTree, type SessionNode, type SessionsNode } from './sessionsTree.ts';
import { sessionToShare } from './sessionToShare.ts';
import { shareSession } from './shareSession.ts';
import { showErrorWithButton } from './showErrorWithButton.ts';
import { stateDirectory } from './stateDirectory.ts';
import { StatusBar } from './statusBar.ts';
import { TypedAgents } from './typedAgents.ts';
import { warnOfOtherVersions } from './warnOfOtherVersions.ts';

/** Everything of this window that the editor sees; made at activation, gone with it. */
export class Host implements Disposable {
  readonly #context: ExtensionContext;
  readonly #disposables = new DisposableStore();
  readonly #log = createLogChannel();
  readonly #statusBar = this.#disposables.add(new StatusBar());
  readonly #sessions = this.#disposables.add(new SessionsTree(() => this.#bridge));
  readonly #devices = this.#disposables.add(new DevicesTree(() => this.#bridge));
  readonly #panel: PairingPanel;
  /** What belongs to the present bridge; a changed relay address makes another. */
  #bridgeParts = new DisposableStore();
  #bridge: Bridge | undefined;
  #terminals: AgentTerminals | undefined;
  #starting: Promise<void> = Promise.resolve();

  constructor(context: ExtensionContext) {
    this.#context = context;
    this.#disposables.add(this.#log.channel);
    this.#panel = this.#disposables.add(
      new PairingPanel(context.extensionUri, systemClock, () => this.#bridge),
    );
  }

  /** Registers everything at once; the bridge follows, so that the editor's start is not held up. */
  start(): void {
    this.#disposables.add(window.registerTreeDataProvider(viewId.sessions, this.#sessions));
    this.#disposables.add(window.registerTreeDataProvider(viewId.devices, this.#devices));
    this.#command(commandId.showLog, () => this.#log.channel.show());
    this.#command(commandId.pairPhone, () => this.#whenReady(bridge => this.#panel.pair(bridge)));
    this.#command(commandId.newSession, () => this.#whenReady(newSession));
    this.#command(commandId.continueInTerminal, node =>
      this.#whenReady(bridge => this.#continue(bridge, node)),
    );
    this.#command(commandId.choosePermissions, node =>
      this.#whenReady(bridge => this.#choosePermissions(bridge, node)),
    );
    this.#command(commandId.changeWaiting, node =>
      this.#whenReady(bridge => this.#changeWaiting(bridge, node)),
    );
    this.#disposables.add(
      commands.registerCommand(commandId.shareSession, (node?: SessionsNode) =>
        this.#whenReady(bridge => this.#share(bridge, node)),
      ),
    );
    this.#disposables.add(
      commands.registerCommand(commandId.endSession, (node: SessionNode) => this.#endSession(node)),
    );
    this.#disposables.add(
      commands.registerCommand(commandId.revokeDevice, (node: DeviceNode) => this.#revokeDevice(node)),
    );
    this.#disposables.add(
      workspace.onDidChangeConfiguration(change => {
        if (Object.values(settingId).some(id => change.affectsConfiguration(id))) this.#restart();
      }),
    );
    // Only a trusted folder is worked in: its sessions come back now, and phones hear where agents may start.
    this.#disposables.add(workspace.onDidGrantWorkspaceTrust(() => this.#restart()));
    this.#restart();
  }

  dispose(): void {
    try {
      this.#bridgeParts.dispose();
    } finally {
      this.#disposables.dispose();
    }
  }

  #restart(): void {
    // One after the other, so that two quick changes of the address leave one bridge.
    this.#starting = this.#starting.then(() => this.#startBridge());
  }

  async #startBridge(): Promise<void> {
    this.#bridgeParts.dispose();
    this.#bridge = undefined;
    this.#terminals = undefined;
    if (this.#disposables.isDisposed) return;
    const parts = new DisposableStore();
    this.#bridgeParts = parts;
    const relay = parseRelayAddress(workspace.getConfiguration().get<string>(settingId.relayUrl, ''));
    if (relay === undefined) {
      await this.#showFailure();
      await showErrorWithButton(
        l10n.t('The relay address in the settings is not a web address.'),
        l10n.t('Open Settings'),
        'workbench.action.openApplicationSettingsJson',
      );
      return;
    }
    const dist = this.#context.asAbsolutePath('dist');
    try {
      const state = stateDirectory();
      const keeper = installKeeper(dist, join(state, 'keeper'), systemClock.now());
      const keeperRuntime = [process.execPath, keeper];
      const bridge = await createBridge({
        clock: systemClock,
        logger: this.#log,
        stateDirectory: state,
        relay,
        adapters: builtInAdapters({
          distDirectory: dist,
          stateDirectory: state,
          keeperRuntime,
          claudeExecutable: workspace.getConfiguration().get<string>(settingId.claudeExecutable, ''),
          logger: this.#log,
        }),
        keeperRuntime,
        machine: hostname(),
        workspace: () => ({
          name: workspace.name ?? l10n.t('No folder'),
          cwd: workspace.isTrusted ? workspace.workspaceFolders?.[0]?.uri.fsPath : undefined,
        }),
      });
      if (parts.isDisposed) {
        bridge.dispose();
        return;
      }
      parts.add(bridge);
      this.#bridge = bridge;
      this.#terminals = parts.add(new AgentTerminals(bridge, keeperRuntime));
      parts.add(new TypedAgents(bridge));
      this.#follow(bridge, parts);
      await this.#setContext(contextKey.ready, true);
      await this.#setContext(contextKey.failed, false);
    } catch (error) {
      this.#log.channel.error(error instanceof Error ? error : String(error));
      await this.#showFailure();
    }
  }

  #follow(bridge: Bridge, parts: DisposableStore): void {
    const refresh = (): void => {
      this.#statusBar.update(bridge);
      this.#sessions.refresh();
      this.#devices.refresh();
      this.#panel.refresh();
    };
    parts.add(bridge.sessions.onDidChange(refresh));
    parts.add(bridge.onDidChangeConnection(refresh));
    parts.add(bridge.onDidChangeDevices(refresh));
    parts.add(bridge.onDidChangeExternals(refresh));
    parts.add(warnOfOtherVersions(bridge));
    parts.add(bridge.pairing.onDidRefuseLate(() => void this.#warnOfLatePhone()));
    refresh();
  }

  async #warnOfLatePhone(): Promise<void> {
    const pair = l10n.t('Show New Code');
    const text = l10n.t('A phone came with a pairing code that was used or has expired. Nothing was paired.');
    if ((await window.showWarningMessage(text, pair)) === pair)
      await commands.executeCommand(commandId.pairPhone);
  }

  async #showFailure(): Promise<void> {
    this.#statusBar.showFailure();
    await this.#setContext(contextKey.ready, false);
    await this.#setContext(contextKey.failed, true);
  }

  async #whenReady(task: (bridge: Bridge) => void | Promise<void>): Promise<void> {
    await this.#starting;
    if (this.#bridge !== undefined) await task(this.#bridge);
    else
      await showErrorWithButton(l10n.t('Terminull could not start.'), l10n.t('Show Log'), commandId.showLog);
  }

  async #endSession(node: SessionNode): Promise<void> {
    const session = this.#bridge?.sessions.find(sessionId.parse(node.id));
    if (session === undefined) return;
    const end = l10n.t('End Session');
    const isElsewhere = session.summary.owner === 'elsewhere';
    const detail = isElsewhere
      ? l10n.t('It is not read along any more. What runs in the terminal goes on.')
      : l10n.t('Its agent is in the middle of a turn and will be stopped.');
    const isBusy = session.summary.activity !== 'idle' || isElsewhere;
    const question = l10n.t('End {0}?', session.summary.title);
    if (!isBusy || (await window.showWarningMessage(question, { modal: true, detail }, end)) === end)
      session.end();
  }

  async #revokeDevice(node: DeviceNode): Promise<void> {
    const id = deviceId.parse(node.id);
    const device = this.#bridge?.devices.find(candidate => candidate.device_id === id);
    if (device === undefined) return;
    const revoke = l10n.t('Revoke');
    const detail = l10n.t('It loses access at once. To use it again, pair it again.');
    const answer = await window.showWarningMessage(
      l10n.t('Revoke {0}?', device.name),
      { modal: true, detail },
      revoke,
    );
    if (answer === revoke) await this.#bridge?.revoke(id);
  }

  async #continue(bridge: Bridge, node: SessionNode | undefined): Promise<void> {
    const title = l10n.t('Continue which session in a terminal?');
    const session =
      node === undefined
        ? await pickSession(bridge, title, one => one.canContinueInTerminal || one.terminal !== undefined)
        : bridge.sessions.find(node.id);
    if (session && this.#terminals) await continueInTerminal(session, this.#terminals);
  }

  async #choosePermissions(bridge: Bridge, node: SessionNode | undefined): Promise<void> {
    const title = l10n.t('Choose the permissions of which session?');
    const session =
      node === undefined
        ? await pickSession(bridge, title, one => one.summary.activity !== 'ended')
        : bridge.sessions.find(node.id);
    if (session) await choosePermissions(session);
  }

  async #changeWaiting(bridge: Bridge, node: SessionNode | undefined): Promise<void> {
    const title = l10n.t('Change what waits in which session?');
    const session =
      node === undefined
        ? await pickSession(bridge, title, one => one.waiting.length > 0)
        : bridge.sessions.find(node.id);
    if (session === undefined) return;
    if (session.waiting.length > 0) await changeWaiting(session);
    else void window.showInformationMessage(l10n.t('Nothing waits in “{0}”.', session.summary.title));
  }

  async #share(bridge: Bridge, node: SessionsNode | undefined): Promise<void> {
    const session = await sessionToShare(bridge, node);
    if (session) await shareSession(bridge, session, () => void this.#panel.pair(bridge));
  }

  #command(id: string, run: (node?: SessionNode) => unknown): void {
    this.#disposables.add(commands.registerCommand(id, run));
  }

  async #setContext(key: string, value: boolean): Promise<void> {
    await commands.executeCommand('setContext', key, value);
  }
}
