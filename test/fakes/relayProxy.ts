import { createServer } from 'node:http';
import { once } from 'node:events';
import { WebSocket, WebSocketServer } from 'ws';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { encodingOf, subprotocols, type Encoding } from '../../core/protocol/envelope/subprotocol.ts';
import { fromBytes, isEnvelope, toBytes } from './envelopeBytes.ts';

export type ProxySide = 'toRelay' | 'fromRelay';

/** What a proxy does with a text, an envelope in binary among them in its documented form: gives it back, another or several in its place, or nothing to swallow it. */
export type Meddle = (side: ProxySide, text: string) => string | readonly string[] | undefined;

export interface Seen {
  readonly side: ProxySide;
  readonly text: string;
  readonly isBinary: boolean;
}

/** Sits between bridges or phones and a relay: sees every byte that the relay sees, and can be hostile. */
export interface RelayProxy {
  /** http://127.0.0.1:port */
  readonly url: string;
  /** Everything that went through, in order. */
  readonly seen: readonly Seen[];
  /** What connections may choose from now on: without `binary` it is a relay of before there was a choice. */
  encodings: readonly Encoding[];
  meddle: Meddle;
  /** The relay's own http address. */
  target: string;
  dispose(): Promise<void>;
}

/** Listens; the relay's address follows as `target`, since a relay is told its public address when it starts. */
export async function startRelayProxy(): Promise<RelayProxy> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString('utf8');
      seen.push({
        side: 'toRelay',
        text: `${request.url ?? ''}\n${JSON.stringify(request.headers)}\n${body}`,
        isBinary: false,
      });
      const headers: Record<string, string> = { 'content-type': 'application/json' };
      if (request.headers.authorization !== undefined) headers.authorization = request.headers.authorization;
      const method = request.method ?? 'GET';
      const answer = await fetch(`${proxy.target}${request.url ?? '/'}`, {
        method,
        headers,
        ...(method === 'GET' ? {} : { body }),
      });
      const text = await answer.text();
      seen.push({ side: 'fromRelay', text, isBinary: false });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(text);
    })();
  });
  const proxy: RelayProxy = {
    get url() {
      const address = server.address();
      return typeof address === 'object' && address !== null
        ? `http://127.0.0.1:${String(address.port)}`
        : '';
    },
    seen,
    target: '',
    encodings: ['binary', 'json'],
    meddle: (_side, text) => text,
    async dispose() {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const sockets = new WebSocketServer({
    server,
    handleProtocols: offered =>
      proxy.encodings.map(encoding => subprotocols[encoding]).find(name => offered.has(name)) ?? false,
  });
  sockets.on('connection', outer => {
    const inner = new WebSocket(`${proxy.target.replace('http', 'ws')}/v1/socket`, outer.protocol, {
      headers: { host: new URL(proxy.url).host },
    });
    const early: (readonly [Buffer, boolean])[] = [];
    const pass = (side: ProxySide, data: Buffer, isBinary: boolean, to: WebSocket): void => {
      const text = isBinary ? JSON.stringify(fromBytes(data)) : data.toString('utf8');
      seen.push({ side, text, isBinary });
      const passed = proxy.meddle(side, text) ?? [];
      if (to.readyState !== WebSocket.OPEN) return;
      for (const each of typeof passed === 'string' ? [passed] : passed)
        to.send(encodingOf(to.protocol) === 'binary' ? inBinary(each) : each);
    };
    inner.on('open', () => {
      for (const [data, isBinary] of early) pass('toRelay', data, isBinary, inner);
    });
    outer.on('message', (data: Buffer, isBinary: boolean) => {
      if (inner.readyState === WebSocket.CONNECTING) early.push([data, isBinary]);
      else pass('toRelay', data, isBinary, inner);
    });
    inner.on('message', (data: Buffer, isBinary: boolean) => pass('fromRelay', data, isBinary, outer));
    inner.on('error', () => outer.terminate());
    inner.on('close', code => (code >= 4000 || code === 1000 ? outer.close(code) : outer.terminate()));
    outer.on('close', () => inner.terminate());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return proxy;
}

/** A text as a connection in binary carries it. */
function inBinary(text: string): string | Uint8Array {
  const frame = jsonValue(text);
  return isEnvelope(frame) ? toBytes(frame) : text;
}
