import type { RelayApi } from '../relayClient/relayApi.ts';
import type { DeviceList } from './deviceList.ts';

/** Tells the relay of every revocation that it has not confirmed; tried again at each connection. */
export async function settleRevocations(devices: DeviceList, api: RelayApi): Promise<void> {
  for (const device of devices.unsettled) {
    const told = await api.revokeDevice(device);
    if (told.ok || told.code === 'not_found') await devices.settle(device);
  }
}
