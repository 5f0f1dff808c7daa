// Runs inside the extension host in place of a test suite: it shows the editor's own start-up performance view, which it reads
// like any document, and prints the extension's row.
import * as vscode from 'vscode';
import { readActivationRow } from './activationRow.ts';

const extensionId = 'terminull.terminull';
const lookEveryMs = 200;
const looks = 300;

function view(): string {
  return vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'perf')?.getText() ?? '';
}

/** The editor calls it. Rejects when the extension has not been activated within a minute. */
export async function run(): Promise<void> {
  // No event tells of an activation, and asking for one would change what is measured.
  let isShown = false;
  for (let look = 0; look < looks; look += 1) {
    if (!isShown && vscode.extensions.getExtension(extensionId)?.isActive === true) {
      isShown = true;
      await vscode.commands.executeCommand('perfview.show');
    }
    const times = readActivationRow(view(), extensionId);
    if (times !== undefined) {
      // The editor brings what is printed here to the page.
      // eslint-disable-next-line no-console
      console.log(`BENCH ${JSON.stringify(times)}`);
      return;
    }
    await new Promise(resolve => setTimeout(resolve, lookEveryMs));
  }
  throw new Error(`${extensionId} was not activated`);
}
