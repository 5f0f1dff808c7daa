import type { Logger } from '../../core/base/logger.ts';
import { fail, type Result } from '../../core/base/result.ts';
import { equalBytes, isAllZero } from '../../core/crypto/byteLayout.ts';
import { decodeBase64 } from '../../core/protocol/base64.ts';
import type { BridgeIdentity } from './bridgeIdentity.ts';
import type { DeviceChannel } from './deviceChannel.ts';
import type { DeviceList } from './deviceList.ts';
import type { RotationRefusal } from './keyRotation.ts';

/**
 * Puts the next key of the phone at the end of this channel in place. Refused as `invalid_request`: what is no X25519 key
 * in its one form, a key of low order, which anybody could agree with, and one that is in use, the machine's own among them.
 *
 * @param named 32 bytes in base64
 */
export async function rotateDeviceKey(
  channel: Pick<DeviceChannel, 'device' | 'key'>,
  named: string,
  ports: { readonly identity: BridgeIdentity; readonly devices: DeviceList; readonly logger: Logger },
): Promise<Result<void, RotationRefusal>> {
  const { identity, devices, logger } = ports;
  const next = decodeBase64(named);
  if (next?.length !== 32 || !isInOneForm(next) || equalBytes(next, identity.dhKey.publicKey))
    return fail('invalid_request');
  if (isAllZero(await identity.dhKey.dh(next))) return fail('invalid_request');
  const { device_id: device } = channel.device;
  const rotated = await devices.rotateKey({ device, proven: channel.key, next });
  logger.info('device.key_rotated', { device, code: rotated.ok ? 'applied' : rotated.code });
  return rotated;
}

/** The highest bit means nothing to X25519 (RFC 7748): with it, one key would have two names. */
function isInOneForm(key: Uint8Array): boolean {
  return ((key[31] ?? 0) & 0x80) === 0;
}
