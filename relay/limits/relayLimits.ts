/** Bounds that are the relay's own. What both ends must know is in core/protocol/limits.ts. Sizes are bytes. */
export const relayLimits = {
  sockets: 20_000,
  /** Sockets that have not said who they are, in all and by address. */
  strangers: 64,
  strangersPerAddress: 8,
  /** Editor windows of one bridge, and sessions that one window may announce. */
  instances: 32,
  sessionsPerInstance: 512,
  /** What may wait for a peer that reads slowly: 64 frames of 16 KiB. */
  queuedBytes: 1_048_576,
  /** Frames a second, and at once. A bridge above it is read more slowly; a phone above it is closed. */
  bridgeFrames: { burst: 400, perSecond: 200 },
  phoneFrames: { burst: 200, perSecond: 50 },
  /** What a connection that is closed for its rate is asked to wait: until a whole burst is free again. */
  restSeconds: 4,
  /** Each costs a signature check of about 130 µs. */
  signedFrames: { burst: 40, perSecond: 20 },
  /** Resume tokens for the phones of one bridge. Each costs about 50 µs. */
  resumeTokens: { burst: 2_048, perSecond: 64 },
  /** Of a status, without its resume tokens. */
  statusBytes: 8_192,
  /** Sessions that are opened within this time are told to phones at once. */
  sessionNewsMs: 200,
  bodyBytes: 16_384,
  pairings: 1_000,
  pairingsPerBridge: 4,
  pairingTries: 5,
  claimsPerWindow: 10,
  refreshesPerWindow: 120,
  windowMs: 300_000,
  /** Addresses that are counted at a time; the oldest count is dropped first. */
  countedAddresses: 10_000,
  refreshTokenMs: 30 * 24 * 3_600_000,
  /** A used refresh token still works this long, for the phone that never saw the answer. */
  refreshGraceMs: 60_000,
  /** How often idle, late and slowed peers are looked at. */
  sweepMs: 1_000,
  stopMs: 2_000,
} as const;
