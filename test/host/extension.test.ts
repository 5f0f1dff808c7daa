import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandId, settingId } from '../../src/host/ids.ts';

const id = 'terminull.terminull';

function extension(): vscode.Extension<unknown> {
  const found = vscode.extensions.getExtension(id);
  assert.ok(found, `${id} is not installed`);
  return found;
}

/** Waits until `check` gives something, asked again at every event. */
function until<T>(check: () => T | undefined, event: vscode.Event<unknown>): Promise<T> {
  return new Promise(resolve => {
    const look = (): void => {
      const found = check();
      if (found === undefined) return;
      listener.dispose();
      resolve(found);
    };
    const listener = event(look);
    look();
  });
}

function pairingTab(): vscode.Tab | undefined {
  return vscode.window.tabGroups.all
    .flatMap(group => group.tabs)
    .find(
      tab => tab.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith('terminull.pairing'),
    );
}

describe('Terminull in a real extension host', () => {
  before(async () => {
    await extension().activate();
  });

  it('runs where the code lives, from the packaged extension', () => {
    assert.equal(extension().extensionKind, vscode.ExtensionKind.Workspace);
    assert.equal(extension().isActive, true);
  });

  it('registers every command that it declares', async () => {
    const commands = new Set(await vscode.commands.getCommands(true));
    for (const command of Object.values(commandId)) assert.ok(commands.has(command), command);
  });

  it('takes the relay from the user’s settings alone, never from a workspace', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const relay = (): unknown => vscode.workspace.getConfiguration().get(settingId.relayUrl);
    const ours = relay();
    const foreign = 'http://relay.invalid:1';
    const { Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
    for (const target of [Workspace, WorkspaceFolder]) {
      const update = vscode.workspace
        .getConfiguration(undefined, folder)
        .update(settingId.relayUrl, foreign, target);
      await assert.rejects(Promise.resolve(update));
    }
    // A repository can bring a file along. That the other setting in it counts shows that it was read.
    const file = vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json');
    const brought = { [settingId.relayUrl]: foreign, 'editor.tabSize': 7 };
    await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(brought)));
    await until(
      () => (vscode.workspace.getConfiguration('editor', folder).get('tabSize') === 7 ? true : undefined),
      vscode.workspace.onDidChangeConfiguration,
    );
    assert.equal(relay(), ours);
    await vscode.workspace.fs.delete(file);
  });

  it('opens one pairing panel, also when asked twice, and takes it away when closed', async () => {
    await vscode.commands.executeCommand(commandId.pairPhone);
    const tab = await until(pairingTab, vscode.window.tabGroups.onDidChangeTabs);
    await vscode.commands.executeCommand(commandId.pairPhone);
    const panels = vscode.window.tabGroups.all
      .flatMap(group => group.tabs)
      .filter(each => each.label === tab.label);
    assert.equal(panels.length, 1);
    await vscode.window.tabGroups.close(tab);
    await until(
      () => (pairingTab() === undefined ? true : undefined),
      vscode.window.tabGroups.onDidChangeTabs,
    );
  });

  it('shows its log', async () => {
    const log = (): vscode.TextEditor | undefined =>
      vscode.window.visibleTextEditors.find(
        ({ document }) => document.uri.scheme === 'output' && document.uri.path.includes(id),
      );
    assert.equal(log(), undefined);
    await vscode.commands.executeCommand(commandId.showLog);
    const { document } = await until(log, vscode.window.onDidChangeVisibleTextEditors);
    assert.match(document.fileName, /Terminull/);
  });
});
