import type { ToBridgeMessage } from '../../core/channel/relayMessage.ts';
import { decodeBinaryEnvelope } from '../../core/protocol/envelope/binaryEnvelope.ts';
import { envelopeOf } from '../../core/protocol/envelope/envelopeValue.ts';
import type { Encoding } from '../../core/protocol/envelope/subprotocol.ts';
import { limits } from '../../core/protocol/limits.ts';
import { messageFormat, parseJson } from '../../core/protocol/parseJson.ts';
import { toBridge } from '../../core/protocol/relayFrame.ts';

const format = messageFormat(toBridge);

/** @returns undefined for what a bridge of this version ignores, an envelope in the form that was not chosen among it */
export function parseToBridge(message: string | Uint8Array, encoding: Encoding): ToBridgeMessage | undefined {
  if (typeof message !== 'string') {
    const decoded = encoding === 'binary' ? decodeBinaryEnvelope(message) : undefined;
    return decoded?.ok === true && decoded.value.type === 'control' ? decoded.value : undefined;
  }
  const parsed = parseJson(message, format, limits.frameBytes);
  if (!parsed.ok) return undefined;
  if (parsed.value.type !== 'control') return parsed.value;
  const envelope = encoding === 'json' ? envelopeOf(parsed.value) : undefined;
  return envelope?.type === 'control' ? envelope : undefined;
}
