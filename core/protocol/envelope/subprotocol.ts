/** How envelopes travel on a connection: as binary messages of their own, or as JSON text among the other frames. */
export type Encoding = 'binary' | 'json';

/**
 * A connection's WebSocket subprotocol names the encoding of its envelopes, one for both ways and for as long as it lives;
 * all other frames are JSON text on either.
 */
export const subprotocols: Readonly<Record<Encoding, string>> = {
  binary: 'terminull.bin.v1',
  json: 'terminull.json.v1',
};

/** What a peer that speaks both offers, best first. */
export const offeredSubprotocols: readonly string[] = [subprotocols.binary, subprotocols.json];

/** @param chosen what the relay chose in the WebSocket handshake; one of before there was a choice chooses JSON */
export function encodingOf(chosen: string): Encoding {
  return chosen === subprotocols.binary ? 'binary' : 'json';
}

/** @param offered by a peer, in any order. @returns what a relay chooses; nothing when it speaks none of them */
export function chooseSubprotocol(offered: ReadonlySet<string>): string | undefined {
  return offeredSubprotocols.find(name => offered.has(name));
}
