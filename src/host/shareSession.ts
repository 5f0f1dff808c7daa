import { l10n, QuickPickItemKind, ThemeIcon, window, type QuickPickItem } from 'vscode';
import type { Bridge } from '../bridge/bridge.ts';

type Session = Bridge['sessions']['all'][number];

interface Choice extends QuickPickItem {
  readonly pairs?: true;
}

/**
 * Makes a session reachable from afar: with no phone paired that is pairing one; else it shows who sees the session.
 *
 * @param pair shows the pairing code
 */
export async function shareSession(bridge: Bridge, session: Session, pair: () => void): Promise<void> {
  if (bridge.devices.length === 0) {
    pair();
    return;
  }
  const another: Choice = {
    label: l10n.t('Pair Another Phone'),
    iconPath: new ThemeIcon('add'),
    pairs: true,
  };
  const picked = await window.showQuickPick(
    [
      { label: l10n.t('Sees and steers it now'), kind: QuickPickItemKind.Separator },
      ...bridge.devices.map((device): Choice => ({
        label: device.name,
        description: bridge.connectedDevices.has(device.device_id)
          ? l10n.t('connected')
          : l10n.t('away: it is told when it is back'),
        iconPath: new ThemeIcon('device-mobile'),
      })),
      { label: '', kind: QuickPickItemKind.Separator },
      another,
    ],
    {
      title: l10n.t('Who sees “{0}”', session.summary.title),
      placeHolder: l10n.t(
        'These phones are paired with this machine. Nobody else can read it, not even the relay.',
      ),
    },
  );
  if (picked?.pairs === true) pair();
}
