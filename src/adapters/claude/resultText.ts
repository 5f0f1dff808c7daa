import * as z from 'zod/mini';

const parts = z.array(z.object({ type: z.string(), text: z.optional(z.string()) }));

/** The text of a tool's result; an image, say, is told by its kind. */
export function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parsed = parts.safeParse(content);
  if (!parsed.success) return '';
  return parsed.data.map(part => part.text ?? `[${part.type}]`).join('\n');
}
