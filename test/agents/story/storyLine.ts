/** One thing that happened in a conversation, as whoever tells it knows it. */
export type StoryRecord =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly input: unknown;
      /** Whether it ran to its end without an error; undefined while nobody has said. */
      readonly ran: boolean | undefined;
      /** What the model was told of it; undefined where that is not known. */
      readonly result?: string | undefined;
    }
  | { readonly kind: 'end'; readonly how: string };

export type Story = readonly StoryRecord[];

/** What a story is compared by. */
export interface Telling {
  /** Whether the results of calls are told in full. */
  readonly results: boolean;
  readonly ends: boolean;
}

/** The mark by which a prompt is known in every story. */
export function markOf(text: string): string {
  return /\bp\d{4}\b/.exec(text)?.[0] ?? text.slice(0, 20);
}

/** The stand-in's model begins so what is to be interrupted; how much of it is kept is up to Claude Code's version. */
export const endlessText = 'begun and never to end';

/** A line for each record. Each but the prompt says which prompt it follows, so that lines differ. */
export function linesOf(story: Story, { results, ends }: Telling): readonly string[] {
  let mark = 'at first';
  return story.flatMap((record): readonly string[] => {
    switch (record.kind) {
      case 'prompt':
        mark = markOf(record.text);
        return [`prompt ${JSON.stringify(record.text)}`];
      case 'text':
        return record.text.startsWith(endlessText) ? [] : [`${mark}: text ${JSON.stringify(record.text)}`];
      case 'call': {
        const { name, input, ran, result } = record;
        const became = ran === undefined ? 'open' : ran ? 'ran' : 'did not run';
        const told = results ? ` ${JSON.stringify(result ?? '')}` : '';
        return [`${mark}: ${name} ${JSON.stringify(input)} ${became}${told}`];
      }
      case 'end':
        return ends ? [`${mark}: end ${record.how}`] : [];
    }
  });
}
