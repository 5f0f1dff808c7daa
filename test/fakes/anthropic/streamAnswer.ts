import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Piece } from './script.ts';

const pieceChars = 12;

interface Numbers {
  /** Number of the request, unique in its server. */
  readonly request: number;
  readonly model: string;
  readonly inputTokens: number;
  /** Pause after each piece. */
  readonly paceMs: number;
}

function slices(text: string): readonly string[] {
  const count = Math.max(1, Math.ceil(text.length / pieceChars));
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * pieceChars, (index + 1) * pieceChars),
  );
}

async function* textsOf(parts: AsyncIterable<string>): AsyncGenerator<object, void, void> {
  for await (const part of parts) for (const text of slices(part)) yield { type: 'text_delta', text };
}

/** The block of the API that a piece begins, and the deltas that fill it. */
function blockOf(piece: Piece, id: string) {
  switch (piece.type) {
    case 'dictated':
      return { start: { type: 'text', text: '' }, deltas: textsOf(piece.parts) };
    case 'text':
    case 'stall':
    case 'cut':
      return {
        start: { type: 'text', text: '' },
        deltas: slices(piece.text).map((text): object => ({ type: 'text_delta', text })),
      };
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...slices(piece.text).map((thinking): object => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: 'c2lnbmF0dXJl' },
        ],
      };
    case 'tool':
      return {
        start: { type: 'tool_use', id, name: piece.name, input: {} },
        deltas: slices(JSON.stringify(piece.input)).map((partial_json): object => ({
          type: 'input_json_delta',
          partial_json,
        })),
      };
  }
}

/** Streams one answer as the Messages API does: server-sent events, block by block. */
export async function streamAnswer(
  response: ServerResponse,
  pieces: readonly Piece[],
  numbers: Numbers,
): Promise<void> {
  const { request, model, inputTokens: input_tokens, paceMs } = numbers;
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'request-id': `req_${String(request)}`,
  });
  const tell = (type: string, fields: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  const usage = {
    input_tokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 1,
  };
  const id = `msg_${String(request)}`;
  const message = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage };
  tell('message_start', { message: { ...message, stop_sequence: null } });
  for (const [index, piece] of pieces.entries()) {
    const { start, deltas } = blockOf(piece, `toolu_${String(request)}_${String(index)}`);
    tell('content_block_start', { index, content_block: start });
    for await (const delta of deltas) {
      tell('content_block_delta', { index, delta });
      await delay(paceMs);
    }
    if (piece.type === 'stall') return;
    if (piece.type === 'cut') {
      response.destroy();
      return;
    }
    tell('content_block_stop', { index });
  }
  const stop_reason = pieces.some(piece => piece.type === 'tool') ? 'tool_use' : 'end_turn';
  tell('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } });
  tell('message_stop', {});
  response.end();
}
