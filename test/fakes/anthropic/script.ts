/** One thing that the stand-in's model does. */
export type Piece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool'; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  /** Begins a text and says no more until the client goes away. */
  | { readonly type: 'stall'; readonly text: string }
  /** Begins a text and cuts the connection. */
  | { readonly type: 'cut'; readonly text: string }
  /** A text whose parts come when a test has them. */
  | { readonly type: 'dictated'; readonly parts: AsyncIterable<string> };

/** One answer of the model: a refusal, or pieces in order. */
export type Answer =
  { readonly status: number; readonly error: string; readonly message: string } | readonly Piece[];

/** The answers to one prompt: the next one follows each tool result. The last one answers every further request. */
export type Script = readonly Answer[];

export function say(text: string): Piece {
  return { type: 'text', text };
}

export function think(text: string): Piece {
  return { type: 'thinking', text };
}

export function dictate(parts: AsyncIterable<string>): Piece {
  return { type: 'dictated', parts };
}

export function use(name: string, input: Readonly<Record<string, unknown>>): Piece {
  return { type: 'tool', name, input };
}

export function isRefusal(answer: Answer): answer is Extract<Answer, { status: number }> {
  return 'status' in answer;
}
