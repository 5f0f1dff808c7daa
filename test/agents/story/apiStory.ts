import * as z from 'zod/mini';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { messageContent, saidIn, textOf, unmarked, type MessagePart } from './sessionFileStory.ts';
import { markOf, type StoryRecord } from './storyLine.ts';

const body = z.object({
  messages: z.array(z.object({ role: z.string(), content: messageContent })),
});
type Message = z.infer<typeof body>['messages'][number];

/** What the vendor's service was told last of the whole conversation: everything but the answer to that. */
export class ApiStory {
  #messages: readonly Message[] = [];

  /** @param text of a request */
  saw(text: string): void {
    const read = body.safeParse(jsonValue(text));
    // A request about something else, a title say, holds less.
    if (read.success && read.data.messages.length >= this.#messages.length)
      this.#messages = read.data.messages;
  }

  /** Without the ends of turns, which it does not know. */
  get records(): readonly StoryRecord[] {
    const results = new Map<string, MessagePart>();
    for (const { content } of this.#messages)
      for (const each of typeof content === 'string' ? [] : content)
        if (each.tool_use_id !== undefined) results.set(each.tool_use_id, each);
    return this.#messages.flatMap(({ role, content }): readonly StoryRecord[] => {
      const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
      if (role === 'assistant')
        return saidIn(parts, results).filter(
          record => record.kind !== 'text' || record.text !== 'No response requested.',
        );
      return parts.flatMap((each): readonly StoryRecord[] => {
        if (each.type !== 'text') return [];
        const text = unmarked(textOf([each]).replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, ''));
        return /^p\d{4}$/.test(markOf(text)) && !text.startsWith('[Request')
          ? [{ kind: 'prompt', text }]
          : [];
      });
    });
  }
}
