import * as z from 'zod/mini';
import { jsonValue } from '../../../core/base/jsonValue.ts';

const content = z.union([z.string(), z.array(z.object({ type: z.string(), text: z.optional(z.string()) }))]);

const requestBody = z.object({
  model: z.string(),
  stream: z.optional(z.boolean()),
  output_config: z.optional(z.object({ effort: z.optional(z.string()) })),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant', 'system']), content })),
});
export type MessagesRequest = z.infer<typeof requestBody>;

export function parseRequest(text: string): MessagesRequest | undefined {
  const parsed = requestBody.safeParse(jsonValue(text));
  return parsed.success ? parsed.data : undefined;
}

/** What somebody wrote in one message: no tool results, and nothing that the agent added by itself. */
function writtenText(message: MessagesRequest['messages'][number]): string {
  const parts =
    typeof message.content === 'string' ? [message.content] : message.content.map(part => part.text ?? '');
  return parts
    .join('\n')
    .replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
    .replace(/\[Request interrupted by user[^\]]*\]/g, '')
    .trim();
}

/** Results alone. What follows an interrupt in the same message is the next prompt. */
function isToolResult({ content: parts }: MessagesRequest['messages'][number]): boolean {
  if (typeof parts === 'string' || !parts.some(part => part.type === 'tool_result')) return false;
  return !parts.some(part => part.text?.startsWith('[Request interrupted by user') === true);
}

/** The last prompt, and how many answers of the model have followed it. */
export function lastPrompt(request: MessagesRequest): { readonly prompt: string; readonly answers: number } {
  let answers = 0;
  for (const message of [...request.messages].reverse()) {
    if (message.role === 'assistant') answers += 1;
    else if (message.role === 'user' && !isToolResult(message)) {
      const prompt = writtenText(message);
      if (prompt !== '') return { prompt, answers };
    }
  }
  return { prompt: '', answers };
}

export function countImages({ messages }: MessagesRequest): number {
  return messages.flatMap(({ content: parts }) =>
    typeof parts === 'string' ? [] : parts.filter(part => part.type === 'image'),
  ).length;
}
