import * as z from 'zod/mini';

/** How long to wait before the same is asked again: at most a day. */
export const retryAfterSeconds = z.number().check(z.gte(0), z.lte(86_400));
