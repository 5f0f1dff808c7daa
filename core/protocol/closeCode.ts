/**
 * How a relay ends a WebSocket, by the name of the reason. The 4000 range is the application's (RFC 6455 section 7.4.2).
 * `unauthorized`, `revoked` and `incompatible_version` do not go away by trying again.
 */
export const closeCode = {
  /** The relay restarts; come back soon (RFC 6455 registry). */
  service_restart: 1012,
  invalid_request: 4400,
  unauthorized: 4401,
  revoked: 4403,
  hello_timeout: 4408,
  /** A newer connection of the same peer took over. */
  replaced: 4409,
  frame_too_large: 4413,
  incompatible_version: 4426,
  /** Too many frames, or too many of something; the reason text tells which. */
  rate_limited: 4429,
  /** Does not read what it is sent. Same number: the reason text tells which. */
  slow_consumer: 4429,
  internal: 4500,
} as const;

export type CloseReason = keyof typeof closeCode;
