import { randomBytes } from 'node:crypto';
import { env, l10n, Uri, ViewColumn, window, workspace, type WebviewPanel } from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { fromWebview, type FromWebview, type ToWebview } from './messages.ts';
import { panelStateOf } from './panelStateOf.ts';

/** The pairing panel: the host owns its state and sends it whole; the page only draws it. */
export class PairingPanel implements Disposable {
  readonly #extensionUri: Uri;
  readonly #clock: Clock;
  readonly #bridge: () => Bridge | undefined;
  #panel: WebviewPanel | undefined;

  constructor(extensionUri: Uri, clock: Clock, bridge: () => Bridge | undefined) {
    this.#extensionUri = extensionUri;
    this.#clock = clock;
    this.#bridge = bridge;
  }

  /** Opens the panel and puts a fresh code on it. */
  async pair(bridge: Bridge): Promise<void> {
    if (this.#panel) this.#panel.reveal();
    else this.#open();
    const { phase } = bridge.pairing.state;
    if (phase !== 'waiting' && phase !== 'code' && phase !== 'registering') await bridge.pairing.start();
  }

  refresh(): void {
    const bridge = this.#bridge();
    if (this.#panel === undefined || bridge === undefined) return;
    const relay = workspace.getConfiguration().get<string>('terminull.relayUrl', '');
    const message: ToWebview = { type: 'state', state: panelStateOf(bridge, relay, this.#clock.now()) };
    void this.#panel.webview.postMessage(message);
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #open(): void {
    const dist = Uri.joinPath(this.#extensionUri, 'dist', 'webview');
    const panel = window.createWebviewPanel('terminull.pairing', l10n.t('Pair Phone'), ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [dist],
    });
    const icon = (name: string): Uri => Uri.joinPath(this.#extensionUri, 'media', name);
    panel.iconPath = { light: icon('tab-light.svg'), dark: icon('tab-dark.svg') };
    this.#panel = panel;
    panel.webview.onDidReceiveMessage((value: unknown) => {
      const message = fromWebview.safeParse(value);
      if (message.success) void this.#onMessage(message.data);
    });
    panel.onDidChangeViewState(() => {
      if (panel.visible) this.refresh();
    });
    panel.onDidDispose(() => {
      this.#panel = undefined;
      // A code that nobody sees any more must not stay valid.
      this.#bridge()?.pairing.cancel();
    });
    const nonce = randomBytes(16).toString('base64');
    const source = panel.webview.cspSource;
    const script = panel.webview.asWebviewUri(Uri.joinPath(dist, 'pairing.js')).toString();
    const style = panel.webview.asWebviewUri(Uri.joinPath(dist, 'pairing.css')).toString();
    panel.webview.html = `<!DOCTYPE html>
<html lang="${env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source}; font-src ${source}; img-src ${source};">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${l10n.t('Pair Phone')}</title>
<link rel="stylesheet" href="${style}">
</head>
<body><main id="root"></main><script nonce="${nonce}" type="module" src="${script}"></script></body>
</html>`;
  }

  async #onMessage(message: FromWebview): Promise<void> {
    const bridge = this.#bridge();
    if (bridge === undefined) return;
    const { state } = bridge.pairing;
    switch (message.type) {
      case 'ready':
        this.refresh();
        return;
      case 'pair':
        await bridge.pairing.start();
        return;
      case 'cancel':
        bridge.pairing.cancel();
        return;
      case 'code':
        await bridge.pairing.submitCode(message.code);
        return;
      case 'copyLink':
        if (state.phase === 'waiting') await env.clipboard.writeText(state.link);
        return;
      case 'openLink':
        if (state.phase === 'waiting') await env.openExternal(Uri.parse(state.link, true));
        return;
    }
  }
}
