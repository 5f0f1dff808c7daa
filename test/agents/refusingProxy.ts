import { once } from 'node:events';
import { createServer } from 'node:http';

/** A proxy that lets nothing through and remembers what was asked for. */
export interface RefusingProxy {
  readonly url: string;
  /** Hosts or addresses, in order. */
  readonly attempts: readonly string[];
  dispose(): Promise<void>;
}

export async function startRefusingProxy(): Promise<RefusingProxy> {
  const attempts: string[] = [];
  const server = createServer((request, response) => {
    attempts.push(request.url ?? '');
    response.writeHead(502).end();
  });
  server.on('connect', (request, socket) => {
    attempts.push(request.url ?? '');
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    attempts,
    async dispose() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
