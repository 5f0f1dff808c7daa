import type { PrologueFields } from '../../../core/crypto/prologue.ts';

/** Reads a vector's prologue bytes back into the fields that the handshake takes. */
export function prologueOf(prologue: Uint8Array): PrologueFields {
  const view = new DataView(prologue.buffer, prologue.byteOffset, prologue.byteLength);
  const fields: string[] = [];
  for (let at = 'relay-e2e/1'.length; at < prologue.length;) {
    const length = view.getUint32(at);
    fields.push(new TextDecoder().decode(prologue.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  const [kind, bridgeId, instanceId, sessionId] = fields;
  if ((kind !== 'pair' && kind !== 'session') || fields.length !== 4) throw new Error('not a prologue');
  return { kind, bridgeId: bridgeId ?? '', instanceId: instanceId ?? '', sessionId: sessionId ?? '' };
}
