import type { ExtensionContext } from 'vscode';
import { Host } from './host/host.ts';

let host: Host | undefined;

export function activate(context: ExtensionContext): void {
  host = new Host(context);
  host.start();
}

export function deactivate(): void {
  host?.dispose();
  host = undefined;
}
