import type { ToAppMessage } from '../../core/channel/relayMessage.ts';
import { decodeBinaryEnvelope } from '../../core/protocol/envelope/binaryEnvelope.ts';
import { envelopeOf } from '../../core/protocol/envelope/envelopeValue.ts';
import type { Encoding } from '../../core/protocol/envelope/subprotocol.ts';
import { limits } from '../../core/protocol/limits.ts';
import { messageFormat, parseJson } from '../../core/protocol/parseJson.ts';
import { toApp } from '../../core/protocol/relayFrame.ts';

const format = messageFormat(toApp);

/** @returns undefined for what a phone of this version ignores, an envelope in the form that was not chosen among it */
export function parseToApp(message: string | Uint8Array, encoding: Encoding): ToAppMessage | undefined {
  if (typeof message !== 'string') {
    const decoded = encoding === 'binary' ? decodeBinaryEnvelope(message) : undefined;
    return decoded?.ok === true && decoded.value.type === 'block' ? decoded.value : undefined;
  }
  const parsed = parseJson(message, format, limits.frameBytes);
  if (!parsed.ok) return undefined;
  if (parsed.value.type !== 'block') return parsed.value;
  const envelope = encoding === 'json' ? envelopeOf(parsed.value) : undefined;
  return envelope?.type === 'block' ? envelope : undefined;
}
