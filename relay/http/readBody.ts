import type { Context } from 'hono';
import type * as z from 'zod/mini';
import { ok, type Result } from '../../core/base/result.ts';

/** Parses a JSON body. Its size was bounded before. */
export async function readBody<T>(
  c: Context,
  schema: z.ZodMiniType<T>,
): Promise<Result<T, 'invalid_request'>> {
  const invalid: { ok: false; code: 'invalid_request' } = { ok: false, code: 'invalid_request' };
  if (!/^application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) return invalid;
  let value: unknown;
  try {
    value = JSON.parse(await c.req.text());
  } catch {
    return invalid;
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? ok(parsed.data) : invalid;
}
