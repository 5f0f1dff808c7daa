import type { Bridge } from '../bridge/bridge.ts';
import type { PairingFailure, PairingState } from '../bridge/pairingState.ts';
import { unreachable } from '../../core/base/unreachable.ts';
import { panelFailure, type PanelFailure, type PanelPairing, type PanelState } from './messages.ts';
import { qrPath } from './qrPath.ts';

/** What the panel shows of a bridge. */
export function panelStateOf(bridge: Bridge, relay: string, now: number): PanelState {
  return {
    relay,
    connection: connectionOf(bridge),
    phones: bridge.devices.map(device => ({
      id: device.device_id,
      name: device.name,
      connected: bridge.connectedDevices.has(device.device_id),
    })),
    pairing: pairingOf(bridge.pairing.state, now),
  };
}

function connectionOf({ connection }: Bridge): PanelState['connection'] {
  switch (connection.phase) {
    case 'online':
      return 'online';
    case 'connecting':
    case 'waiting':
      return 'connecting';
    case 'stopped':
      return connection.reason === 'stopped' ? 'off' : 'refused';
  }
  return unreachable(connection);
}

function pairingOf(state: PairingState, now: number): PanelPairing {
  switch (state.phase) {
    case 'waiting': {
      const { link, refused } = state;
      return {
        phase: 'waiting',
        link,
        qr: qrPath(link),
        remainingMs: Math.max(0, state.expiresAt - now),
        refused,
      };
    }
    case 'failed':
      return { phase: 'failed', reason: failureOf(state.reason) };
    case 'idle':
    case 'starting':
    case 'code':
    case 'registering':
    case 'paired':
      return state;
  }
  return unreachable(state);
}

function failureOf(reason: PairingFailure): PanelFailure {
  if (reason === 'offline') return 'relay_offline';
  const known = panelFailure.safeParse(reason);
  return known.success ? known.data : 'relay_refused';
}
