import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';

/** A refusal in the one shape that all have. */
export function refuse(
  c: Context,
  status: ContentfulStatusCode,
  code: ErrorCode,
  message: string,
  retryAfterSeconds?: number,
): Response {
  if (retryAfterSeconds === undefined) return c.json({ error: { code, message } }, status);
  c.header('Retry-After', String(retryAfterSeconds));
  return c.json({ error: { code, message, retry_after_s: retryAfterSeconds } }, status);
}
