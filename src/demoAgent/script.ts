/** What the demo agent does with a prompt, chosen by its words, so that every run is the same. */
export type DemoScript =
  | { readonly kind: 'introduce' }
  | { readonly kind: 'write' }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'ask' }
  | { readonly kind: 'count' }
  | { readonly kind: 'crash' }
  /** Ends before the prompt is in the agent's own record. */
  | { readonly kind: 'vanish' };

export function chooseScript(prompt: string): DemoScript {
  const run = /^\s*run[:\s]+`?([^`\n]{1,500})`?\s*$/i.exec(prompt);
  if (run?.[1] !== undefined) return { kind: 'run', command: run[1].trim() };
  if (/^\s*crash\b/i.test(prompt)) return { kind: 'crash' };
  if (/^\s*vanish\b/i.test(prompt)) return { kind: 'vanish' };
  if (/^\s*ask me\b/i.test(prompt)) return { kind: 'ask' };
  if (/^\s*count\b/i.test(prompt)) return { kind: 'count' };
  if (/\b(write|note|notes|edit|change|file)\b/i.test(prompt)) return { kind: 'write' };
  return { kind: 'introduce' };
}
