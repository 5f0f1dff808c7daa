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
  const phones = (isConnected: boolean, heading: string, state: string): readonly Choice[] => {
    const those = bridge.devices.filter(
      device => bridge.connectedDevices.has(device.device_id) === isConnected,
    );
    if (those.length === 0) return [];
    return [
      { label: heading, kind: QuickPickItemKind.Separator },
      ...those.map(({ name }) => ({
        label: name,
        description: state,
        iconPath: new ThemeIcon('device-mobile'),
      })),
    ];
  };
  const another: Choice = {
    label: l10n.t('Pair Another Phone'),
    iconPath: new ThemeIcon('add'),
    pairs: true,
  };
  const picked = await window.showQuickPick(
    [
      ...phones(
        true,
        session.summary.owner === 'elsewhere' ? l10n.t('Reads along now') : l10n.t('Sees and steers it now'),
        l10n.t('connected'),
      ),
      ...phones(false, l10n.t('Sees it again when it is back'), l10n.t('away')),
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
