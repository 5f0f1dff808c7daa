import type * as z from 'zod/mini';

/**
 * A message on its way out, as its schema describes it: what the schema does not know stays here.
 *
 * @returns undefined for a value that the schema refuses; it must not be sent
 */
export function strictJson<T>(schema: z.ZodMiniType<T>, value: T): string | undefined {
  try {
    const checked = schema.safeParse(value);
    return checked.success ? JSON.stringify(checked.data) : undefined;
  } catch {
    // A value nested so deeply that checking it exhausts the stack.
    return undefined;
  }
}
