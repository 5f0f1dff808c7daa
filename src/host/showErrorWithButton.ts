import { commands, window } from 'vscode';

/** Every error has one button that helps. */
export async function showErrorWithButton(text: string, button: string, command: string): Promise<void> {
  if ((await window.showErrorMessage(text, button)) === button) await commands.executeCommand(command);
}
