import { utf8 } from '@scure/base';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { ok, fail, type Result } from '../base/result.ts';
import type { ReceivedFrame } from '../crypto/frameOpener.ts';
import type { ChannelSealRefusal, SecureChannel } from '../crypto/secureChannel.ts';
import type { BlockEnvelope, ControlEnvelope, Envelope } from '../protocol/envelope/envelopeValue.ts';
import type { BlockHint } from '../protocol/relayFrame.ts';
import { sessionId } from '../protocol/ids.ts';

/** Seals one message of a bridge into the envelope that the relay carries; `sig` is the connection's to add. */
export async function sealBlock(
  channel: SecureChannel,
  message: {
    readonly json: string;
    readonly hint: BlockHint;
    readonly replay: boolean;
    readonly timeMs: number;
  },
): Promise<Result<BlockEnvelope, ChannelSealRefusal>> {
  const { hint, replay, timeMs } = message;
  const fields = { blockType: hint, replay, serverTsMs: timeMs };
  const sealed = await channel.seal(fields, utf8ToBytes(message.json));
  if (!sealed.ok) return sealed;
  return ok({
    type: 'block',
    sessionId: sessionId.parse(channel.sessionId),
    timeMs,
    enc: sealed.value,
    hint,
    replay,
    ...(channel.dest === '' ? {} : { dest: channel.dest }),
  });
}

/** Seals one control of a phone. */
export async function sealControl(
  channel: SecureChannel,
  json: string,
  timeMs: number,
): Promise<Result<ControlEnvelope, ChannelSealRefusal>> {
  const sealed = await channel.seal(
    { blockType: 'control', replay: false, serverTsMs: timeMs },
    utf8ToBytes(json),
  );
  if (!sealed.ok) return sealed;
  return ok({ type: 'control', sessionId: sessionId.parse(channel.sessionId), timeMs, enc: sealed.value });
}

/** @returns the text of an opened envelope; one that is no UTF-8 breaks the channel */
export async function openText(
  channel: SecureChannel,
  envelope: Envelope,
): Promise<Result<string, 'drop' | 'resync' | 'bad_padding'>> {
  const opened = await channel.open(receivedFrame(envelope));
  if (!opened.ok) return opened;
  try {
    return ok(utf8.encode(opened.value));
  } catch {
    return fail('resync');
  }
}

function receivedFrame(envelope: Envelope): ReceivedFrame {
  const { sessionId: session, timeMs, enc } = envelope;
  const common = { sessionId: session, serverTsMs: timeMs, enc };
  return envelope.type === 'block'
    ? { ...common, type: 'block', blockType: envelope.hint, replay: envelope.replay, dest: envelope.dest }
    : { ...common, type: 'control', blockType: 'control', replay: false };
}
