import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { isRefusal, say, type Answer, type Script } from './script.ts';
import { countImages, lastPrompt, parseRequest, type MessagesRequest } from './request.ts';
import { streamAnswer } from './streamAnswer.ts';

const paceMs = 5;

/** What is kept of a request: sizes, and which scripted prompts it holds, never words of its own. */
export interface SeenRequest {
  readonly model: string;
  readonly effort: string | undefined;
  /** Pictures in all of its messages. */
  readonly images: number;
  /** Whether its newest prompt holds a text. */
  readonly asks: (text: string) => boolean;
  /** Characters of each message, in order. */
  readonly messageChars: readonly number[];
  /** The scripted prompts that it holds, in the order of their scripts: the turns that the agent remembers. */
  readonly prompts: readonly string[];
}

/** A stand-in for the Anthropic Messages API on a free port of this machine, whose model does what a test wrote. */
export interface Anthropic {
  readonly url: string;
  /** The requests for scripted prompts, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Says what follows a prompt that contains `prompt`. The newest script that fits is taken. */
  script(prompt: string, script: Script): void;
  /** How many requests for a prompt that contains `prompt` have come. */
  count(prompt: string): number;
  dispose(): Promise<void>;
}

/** @param saw is given each request for the model, as it came */
export async function startAnthropic(saw: (body: string) => void = () => undefined): Promise<Anthropic> {
  const scripts: { readonly prompt: string; readonly script: Script; requests: number }[] = [];
  const requests: SeenRequest[] = [];
  let requestCount = 0;

  const answerTo = (request: MessagesRequest): Answer => {
    const { prompt, answers } = lastPrompt(request);
    const found = scripts.findLast(candidate => prompt.includes(candidate.prompt));
    if (found === undefined) return [say('nobody wrote an answer to this')];
    found.requests += 1;
    const messages = request.messages.map(message => JSON.stringify(message.content));
    requests.push({
      model: request.model,
      effort: request.output_config?.effort,
      images: countImages(request),
      asks: text => prompt.includes(text),
      messageChars: messages.map(message => message.length),
      prompts: scripts
        .map(({ prompt: each }) => each)
        .filter(each => messages.some(text => text.includes(each))),
    });
    return found.script[answers] ?? found.script.at(-1) ?? [say('the script is empty')];
  };

  const respond = async (response: ServerResponse, body: string): Promise<void> => {
    saw(body);
    const request = parseRequest(body);
    if (request === undefined) {
      refuse(response, { status: 400, error: 'invalid_request_error', message: 'not understood' });
      return;
    }
    const answer = answerTo(request);
    if (isRefusal(answer)) {
      refuse(response, answer);
      return;
    }
    requestCount += 1;
    await streamAnswer(response, answer, {
      request: requestCount,
      model: request.model,
      inputTokens: Math.ceil(body.length / 4),
      paceMs,
    });
  };

  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
      const path = (request.url ?? '').replace(/\?.*/, '');
      if (path.endsWith('/v1/messages')) await respond(response, Buffer.concat(chunks).toString('utf8'));
      else refuse(response, { status: 404, error: 'not_found_error', message: 'not here' });
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');

  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    requests,
    script: (prompt, script) => void scripts.push({ prompt, script, requests: 0 }),
    count: prompt =>
      scripts.filter(entry => entry.prompt === prompt).reduce((sum, entry) => sum + entry.requests, 0),
    async dispose() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(response: ServerResponse, refusal: Extract<Answer, { status: number }>): void {
  const { status, error: type, message } = refusal;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error: { type, message } }));
}
