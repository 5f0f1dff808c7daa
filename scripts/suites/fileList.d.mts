export function stableName(name: string): string;
export function compareLists(
  wanted: readonly string[],
  found: readonly string[],
): { readonly missing: string[]; readonly unexpected: string[] };
