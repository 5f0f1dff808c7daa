import { EventEmitter, l10n, ThemeColor, ThemeIcon, TreeItem, type TreeDataProvider } from 'vscode';
import type { DeviceId } from '../../core/protocol/ids.ts';
import type { Bridge } from '../bridge/bridge.ts';

/** A row of the phones view. */
export interface DeviceNode {
  readonly kind: 'device';
  readonly id: DeviceId;
}

/** The phones that this machine trusts. */
export class DevicesTree implements TreeDataProvider<DeviceNode> {
  readonly #changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #bridge: () => Bridge | undefined;

  constructor(bridge: () => Bridge | undefined) {
    this.#bridge = bridge;
  }

  refresh(): void {
    this.#changed.fire(undefined);
  }

  getChildren(node?: DeviceNode): DeviceNode[] {
    if (node !== undefined) return [];
    return (this.#bridge()?.devices ?? []).map(device => ({ kind: 'device', id: device.device_id }));
  }

  getTreeItem(node: DeviceNode): TreeItem {
    const bridge = this.#bridge();
    const device = bridge?.devices.find(candidate => candidate.device_id === node.id);
    if (bridge === undefined || device === undefined) return new TreeItem('');
    const isConnected = bridge.connectedDevices.has(device.device_id);
    const state = isConnected ? l10n.t('connected') : l10n.t('away');
    const item = new TreeItem(device.name);
    item.id = device.device_id;
    item.description = state;
    const color = isConnected ? new ThemeColor('testing.iconPassed') : undefined;
    item.iconPath = new ThemeIcon('device-mobile', color);
    item.contextValue = 'device';
    item.accessibilityInformation = { label: `${device.name}, ${state}` };
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
