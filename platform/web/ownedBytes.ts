/** Bytes that the platform's cryptography takes; a copy only when they lie in shared memory. */
export function ownedBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return isOwned(bytes) ? bytes : new Uint8Array(bytes);
}

function isOwned(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
