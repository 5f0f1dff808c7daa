/** An expected outcome: a value, or a closed failure code. */
export type Result<T, Code extends string> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly code: Code };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function fail<Code extends string>(code: Code): { readonly ok: false; readonly code: Code } {
  return { ok: false, code };
}
