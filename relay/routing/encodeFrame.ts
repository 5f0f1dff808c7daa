import type { DeviceId } from '../../core/protocol/ids.ts';
import type { BlockFrame, ControlFrame, ToApp, ToBridge } from '../../core/protocol/relayFrame.ts';

/** The text of a frame. */
export function encodeFrame(frame: ToApp | ToBridge): string {
  return JSON.stringify(frame);
}

/**
 * A verified block on its way to a phone, without `sig` and `dest`. Every string was checked against an alphabet that
 * needs no escapes, so it is put together as text: this is the relay's busiest path.
 */
export function encodeBlock(frame: BlockFrame): string {
  const replay = frame.replay ? 'true' : 'false';
  return (
    `{"type":"block","session_id":"${frame.session_id}","block_type":"${frame.block_type}",` +
    `"enc":"${frame.enc}","replay":${replay},"server_ts":${frame.server_ts}}`
  );
}

/** A control on its way to a bridge, marked with the device that proved itself; while pairing there is none. */
export function encodeControl(frame: ControlFrame, device: DeviceId | undefined): string {
  const from = device === undefined ? '' : `,"device_id":"${device}"`;
  return (
    `{"type":"control","session_id":"${frame.session_id}","enc":"${frame.enc}",` +
    `"server_ts":${frame.server_ts}${from}}`
  );
}
