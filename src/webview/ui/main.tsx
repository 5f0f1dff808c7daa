import { render } from 'preact';
import { signal } from '@preact/signals';
import type { FromWebview, PanelState } from '../messages.ts';
import { parsePanelMessage } from './parsePanelMessage.ts';
import { PairingView } from './pairingView.tsx';

interface EditorApi {
  postMessage(message: FromWebview): void;
}

declare function acquireVsCodeApi(): EditorApi;

const editor = acquireVsCodeApi();
const state = signal<PanelState | undefined>(undefined);

window.addEventListener('message', (event: MessageEvent<unknown>) => {
  const received = parsePanelMessage(event.data);
  if (received !== undefined) state.value = received;
});

const root = document.getElementById('root');
if (root) render(<PairingView state={state} send={message => editor.postMessage(message)} />, root);
editor.postMessage({ type: 'ready' });
