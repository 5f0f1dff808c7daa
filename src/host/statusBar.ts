import { l10n, StatusBarAlignment, ThemeColor, window, type Disposable, type StatusBarItem } from 'vscode';
import type { Bridge } from '../bridge/bridge.ts';
import { commandId } from './ids.ts';

/** The one status bar item: is the relay reached, how many phones, does something wait. */
export class StatusBar implements Disposable {
  readonly #item: StatusBarItem;

  constructor() {
    this.#item = window.createStatusBarItem('terminull.status', StatusBarAlignment.Left, 0);
    this.#item.name = 'Terminull';
    this.#item.command = commandId.pairPhone;
    this.#show('$(loading~spin)', l10n.t('Terminull is starting'));
    this.#item.show();
  }

  /** Something the user must look at; the log says what. */
  showFailure(): void {
    this.#show('$(error)', l10n.t('Terminull could not start. Click to see the log.'), true);
    this.#item.command = commandId.showLog;
  }

  update(bridge: Bridge): void {
    const waiting = bridge.sessions.summaries.reduce((sum, summary) => sum + summary.waiting, 0);
    const phones = bridge.connectedDevices.size;
    const { connection } = bridge;
    if (connection.phase === 'stopped' && connection.reason !== 'stopped') {
      this.#show(
        '$(device-mobile) $(error)',
        l10n.t('The relay refused this machine. Click for details.'),
        true,
      );
    } else if (connection.phase === 'online') {
      const text = `$(device-mobile) ${phones}${waiting > 0 ? ` $(bell-dot) ${waiting}` : ''}`;
      const ask = waiting > 0 ? l10n.t('{0} waiting for an answer', waiting) : l10n.t('nothing waits');
      const who = phones === 1 ? l10n.t('one phone connected') : l10n.t('{0} phones connected', phones);
      this.#show(text, l10n.t('Terminull: {0}, {1}', who, ask));
    } else {
      this.#show('$(device-mobile) $(sync~spin)', l10n.t('Terminull is looking for the relay'));
    }
  }

  dispose(): void {
    this.#item.dispose();
  }

  #show(text: string, tooltip: string, isError = false): void {
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label: tooltip, role: 'button' };
    this.#item.backgroundColor = isError ? new ThemeColor('statusBarItem.errorBackground') : undefined;
  }
}
