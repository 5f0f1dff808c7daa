import { createServer } from 'node:http';
import { once } from 'node:events';
import { WebSocket, WebSocketServer } from 'ws';

export type ProxySide = 'toRelay' | 'fromRelay';

/** What a proxy does with a text: gives it back, another or several in its place, or nothing to swallow it. */
export type Meddle = (side: ProxySide, text: string) => string | readonly string[] | undefined;

/** Sits between bridges or phones and a relay: sees every byte that the relay sees, and can be hostile. */
export interface RelayProxy {
  /** http://127.0.0.1:port */
  readonly url: string;
  /** Everything that went through, in order. */
  readonly seen: readonly { readonly side: ProxySide; readonly text: string }[];
  meddle: Meddle;
  /** The relay's own http address. */
  target: string;
  dispose(): Promise<void>;
}

/** Listens; the relay's address follows as `target`, since a relay is told its public address when it starts. */
export async function startRelayProxy(): Promise<RelayProxy> {
  const seen: { side: ProxySide; text: string }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString('utf8');
      seen.push({
        side: 'toRelay',
        text: `${request.url ?? ''}\n${JSON.stringify(request.headers)}\n${body}`,
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
      seen.push({ side: 'fromRelay', text });
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
    meddle: (_side, text) => text,
    async dispose() {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const sockets = new WebSocketServer({ server, handleProtocols: () => 'terminull.json.v1' });
  sockets.on('connection', outer => {
    const inner = new WebSocket(`${proxy.target.replace('http', 'ws')}/v1/socket`, 'terminull.json.v1', {
      headers: { host: new URL(proxy.url).host },
    });
    const early: string[] = [];
    const pass = (side: ProxySide, text: string, to: WebSocket): void => {
      seen.push({ side, text });
      const passed = proxy.meddle(side, text) ?? [];
      if (to.readyState !== WebSocket.OPEN) return;
      for (const each of typeof passed === 'string' ? [passed] : passed) to.send(each);
    };
    inner.on('open', () => {
      for (const text of early) pass('toRelay', text, inner);
    });
    outer.on('message', (data: Buffer) => {
      if (inner.readyState === WebSocket.CONNECTING) early.push(data.toString('utf8'));
      else pass('toRelay', data.toString('utf8'), inner);
    });
    inner.on('message', (data: Buffer) => pass('fromRelay', data.toString('utf8'), outer));
    inner.on('error', () => outer.terminate());
    inner.on('close', code => (code >= 4000 || code === 1000 ? outer.close(code) : outer.terminate()));
    outer.on('close', () => inner.terminate());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return proxy;
}
